"""The second half: what they work with, what they do, when, and how they are reached."""

from memory.evaluation.example.theme import Theme

DAYS = (
    Theme(
        name="tool",
        kind="semantic/preference",
        values=("Vim", "Obsidian", "LibreOffice", "Typora", "Scrivener"),
        says=(
            "I take my notes in {v}.",
            "For notes I use {v}, {nothing else fits|out of habit}.",
        ),
        again=("I use {v} for my notes.",),
        change=(
            "I've switched to {v} for my notes.",
            "I use {v} for my notes now instead of my old app.",
        ),
        asks=(
            "Which app do I take notes in?",
            "What do I use for notes?",
        ),
    ),
    Theme(
        name="database",
        kind="semantic/decision",
        values=("PostgreSQL", "SQLite", "ClickHouse", "MongoDB"),
        says=(
            "Our team decided to use {v} for the orders.",
            "It's settled: we're going with {v} as the database for {the back office|reporting}.",
        ),
        again=("We decided on {v} as our database.",),
        change=("The plan changed: we decided to move the database to {v}.",),
        asks=("Which database did we decide on?", "What database does my team use?"),
    ),
    Theme(
        name="deadline",
        kind="semantic/constraint",
        values=("12 September", "the 20th", "1 November", "Easter"),
        says=(
            "The {app|website|rough cut} has to be delivered by {v}.",
            "Our deadline is {v}, it can't slip.",
        ),
        again=("Remember, the deadline is {v}.",),
        asks=("When is our deadline?", "By when do we have to deliver?"),
    ),
    Theme(
        name="sport",
        kind="semantic/preference",
        values=("badminton", "bouldering", "trail running", "tai chi", "cycling"),
        says=(
            "My hobby is {v}, {twice a week|for years now}.",
            "I really enjoy {v}.",
            "After work I usually go {for|to} {v}.",
        ),
        again=("I enjoy {v}.",),
        asks=("Which sport do I like?", "What do I do in my spare time?"),
    ),
    Theme(
        name="music",
        kind="semantic/preference",
        values=("jazz", "fado", "post-rock", "baroque music", "old soul records"),
        says=("I mostly listen to {v}.", "I like {v}, {above all while coding|on long drives}."),
        again=("I like listening to {v}.",),
        asks=("What music do I like?",),
    ),
    Theme(
        name="trip",
        kind="episodic/event",
        values=("the Faroe Islands", "Tbilisi", "Seoul", "the Dolomites", "Fez"),
        says=(
            "Last month I went to {v} {for a week|with my sister}.",
            "I was in {v} last weekend.",
        ),
        asks=("Where did I travel recently?", "Where did I go on my last trip?"),
    ),
    Theme(
        name="surgery",
        kind="episodic/event",
        level=40,
        values=("eye surgery", "gallbladder surgery", "knee surgery", "a wisdom tooth operation"),
        says=(
            "I had {v} last week, {check-up is on Monday|so no sport for a while}.",
            "I recently had {v}.",
        ),
        asks=("What surgery did I have?",),
    ),
    Theme(
        name="lesson",
        kind="episodic/lesson",
        values=(
            "upgrading without a backup",
            "a missing rollback script",
            "an expired certificate",
            "the wrong time zone",
        ),
        says=(
            "The last outage came from {v}; let's not repeat that.",
            "We found the cause of last night's outage: {v}. A restart fixed it.",
        ),
        asks=("What caused our last outage?", "What did we learn from the outage?"),
    ),
    Theme(
        name="phone",
        kind="semantic/fact",
        level=30,
        values=("+44 7700 900417", "+1 202 555 0148", "+49 1573 5550199"),
        says=(
            "My phone number is {v}, {use it for deliveries|texts are fine}.",
            "You can reach me on {v}, that's my mobile.",
        ),
        again=("My mobile is {v}.",),
        change=("I have a new number: my phone is {v} now.",),
        asks=("What is my phone number?",),
    ),
    Theme(
        name="mail",
        kind="semantic/fact",
        level=30,
        values=("bea.holt@posteo.example", "t.okafor@mailbox.example", "mags77@fast.example"),
        says=(
            "My email is {v}, {send invoices there|that's the best one}.",
            "Use {v} for anything in writing, it's my own address.",
        ),
        again=("My email address is {v}.",),
        asks=("What is my email address?",),
    ),
    Theme(
        name="schedule",
        kind="semantic/constraint",
        values=("Wednesday afternoons", "mornings before nine", "Friday evenings", "lunch time"),
        says=(
            "I'm never available on {v}, so no meetings then.",
            "Please don't book me for {v}, {I pick up the kids|I have a class}.",
        ),
        again=("Remember I'm not available {v}.",),
        asks=("When can I not take meetings?", "Which times should stay free of meetings for me?"),
    ),
    Theme(
        name="language",
        kind="semantic/goal",
        values=("Spanish", "Korean", "sign language", "Welsh"),
        says=(
            "I'm learning {v}, {twenty words a day|an evening class}.",
            "This year I started learning {v}.",
        ),
        again=("I'm learning {v}.",),
        asks=("Which language am I learning?",),
    ),
    Theme(
        name="car",
        kind="semantic/fact",
        values=("Renault Zoe", "old Corolla", "Skoda Fabia", "second-hand Jazz"),
        says=("I drive a {v}, {mostly to work|not very often}.", "I bought a car, a {v}."),
        again=("My car is a {v}.",),
        change=("I sold the old car, I drive a {v} now.",),
        asks=("What car do I drive?",),
    ),
)
