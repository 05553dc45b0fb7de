"""What an English-speaking person may tell of themselves, in many wordings. Written for this example."""

from memory.evaluation.example.theme import Theme
from memory.evaluation.example.themes_en_days import DAYS

THEMES = (
    Theme(
        name="home",
        kind="semantic/fact",
        values=("Leipzig", "Galway", "Porto", "Aarhus", "Tucson", "Hobart", "Graz"),
        says=(
            "I live in {v}, {renting a flat|sharing with friends|just outside the centre}.",
            "I'm based in {v}, so keep suggestions local.",
            "Home for me is {v}.",
        ),
        again=("I live in {v}, remember?", "I'm in {v}, as you know."),
        change=("Heads up: I moved to {v} last week.", "We've moved house, I live in {v} now."),
        asks=("Which city do I live in?", "What will the weekend be like where I live?"),
    ),
    Theme(
        name="job",
        kind="semantic/fact",
        values=(
            "dental nurse",
            "land surveyor",
            "physics teacher",
            "lorry driver",
            "script editor",
            "bookbinder",
            "auditor",
        ),
        says=(
            "I work as a {v}, {have done for years|mostly nights}.",
            "I'm a {v} by trade.",
            "My job? I'm a {v}.",
        ),
        again=("As a {v}, I mean, that's my job.", "I'm a {v}."),
        change=(
            "I changed jobs: I'm a {v} now.",
            "I've started working as a {v}, the old job is over.",
        ),
        asks=("What do I do for a living?", "What is my job?"),
    ),
    Theme(
        name="allergy",
        kind="semantic/fact",
        level=40,
        values=("cashews", "shrimp", "penicillin", "birch pollen", "kiwi", "sesame"),
        says=(
            "I'm allergic to {v}, {it can get serious|I break out in hives}.",
            "Just so you know, I have an allergy to {v}.",
            "My doctor confirmed that I'm allergic to {v}.",
        ),
        again=("Don't forget that I'm allergic to {v}.", "I am allergic to {v}."),
        asks=("What am I allergic to?", "Do I have any allergies?"),
    ),
    Theme(
        name="drink",
        kind="semantic/preference",
        values=(
            "flat whites",
            "jasmine tea",
            "oat lattes",
            "ginger ale",
            "black coffee",
            "rooibos",
        ),
        says=(
            "I love {v}.",
            "My usual drink is {v}.",
            "I mostly drink {v}, {no sugar|nothing else really}.",
        ),
        again=("I love {v}, you know.",),
        change=(
            "I've gone off my old drink, these days I drink {v}.",
            "I've switched to {v}, that's my usual drink now.",
        ),
        asks=("What do I like to drink?", "Order me my usual drink."),
    ),
    Theme(
        name="seat",
        kind="semantic/preference",
        values=("window", "aisle", "front row", "quiet coach"),
        says=(
            "I prefer {v} seats when I travel.",
            "On trains I always want a {v} seat, {easier to sleep|easier to get out}.",
        ),
        again=("I still prefer {v} seats.",),
        change=(
            "I've changed my mind about seats: I prefer {v} seats now.",
            "From now on book me {v} seats instead.",
        ),
        asks=("Which seats do I prefer?", "Pick a seat for me: what do I like?"),
    ),
    Theme(
        name="answer style",
        kind="semantic/instruction",
        values=(
            "lead with the conclusion",
            "skip the emojis",
            "keep it under five sentences",
            "use numbered lists",
            "cite your sources",
            "write in British spelling",
        ),
        says=(
            "From now on, {v} when you answer me.",
            "In future replies please always {v}.",
            "A standing rule for anything you send me: {v}.",
        ),
        again=("Remember to {v} when you answer me.",),
        asks=("How should your answers to me look?", "What did I ask of your replies?"),
    ),
    Theme(
        name="form of address",
        kind="semantic/instruction",
        values=("Bea", "Captain", "Jolly", "Mags", "Theo"),
        says=(
            "Call me {v}, {everybody does|please}.",
            "You can call me {v}.",
            "Please address me as {v} from now on.",
        ),
        again=("Call me {v}.",),
        change=("Drop the old name, call me {v} from now on.",),
        asks=("What should you call me?", "How do I want to be addressed?"),
    ),
    Theme(
        name="goal",
        kind="semantic/goal",
        values=(
            "get a diving licence",
            "run a full marathon",
            "pass the bar exam",
            "finish my thesis",
            "save for a deposit",
            "learn to swim crawl",
        ),
        says=(
            "My goal this year is to {v}.",
            "I'm planning to {v} {before Christmas|by next summer}.",
            "I've set myself a target: {v}.",
        ),
        again=("My goal is still to {v}.",),
        asks=("What is my goal this year?", "What am I aiming for?"),
    ),
    Theme(
        name="budget",
        kind="semantic/constraint",
        values=("3,500", "12,000", "640", "80,000"),
        says=(
            "My budget for the {trip|renovation|laptop} is {v} euros at most.",
            "I can't spend more than {v} pounds on the {sofa|wedding|move}.",
        ),
        again=("Stay within {v}, that's my budget.",),
        asks=("What is my budget?", "How much can I spend?"),
    ),
    Theme(
        name="diet",
        kind="semantic/preference",
        values=("coriander", "liver", "blue cheese", "lamb", "olives", "beetroot"),
        says=(
            "I don't eat {v}, {never have|the smell is enough}.",
            "No {v} for me, ever: I can't stand the taste.",
            "I really hate {v}.",
        ),
        again=("I don't eat {v}.",),
        asks=("Which food do I not eat?", "What should be left out when you order food for me?"),
    ),
    Theme(
        name="pet",
        kind="semantic/relation",
        values=("Waffle", "Biscuit", "Nimbus", "Pretzel", "Moss"),
        says=(
            "I have a {cat|dog} called {v}.",
            "My {cat|dog} {v} {is three|never leaves my side}.",
        ),
        again=("My pet is called {v}.",),
        asks=("What is my pet called?", "What's the name of my animal?"),
    ),
    Theme(
        name="child",
        kind="semantic/relation",
        level=40,
        values=("six", "fourteen", "nine", "eleven"),
        says=(
            "My daughter is {v} years old, {so evenings are homework|bedtime is early}.",
            "My son is {v} years old.",
        ),
        again=("My kid is {v} years old, as I said.",),
        asks=("How old is my child?",),
    ),
    Theme(
        name="partner",
        kind="semantic/relation",
        values=("nurse", "firefighter", "lawyer", "pastry chef", "programmer"),
        says=(
            "My {husband|wife|partner} is a {v}, {often on nights|so I do the cooking}.",
            "My {husband|wife} works as a {v}.",
        ),
        again=("My other half is a {v}.",),
        asks=("What does my partner do?", "What is my spouse's job?"),
    ),
    *DAYS,
)
