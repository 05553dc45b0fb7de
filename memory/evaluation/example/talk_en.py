"""What is said beside it in English: nothing of it is worth remembering. Written for this example."""

# By the sort of talk; ``{a|b}`` is one of several.
IDLE = {
    "greeting": (
        "{Morning|Good evening|Hey}{, me again.|, got a minute?|, let's get going.}",
        "{Cheers|Many thanks|Brilliant}, {that's it for now|that saved me|talk later}.",
        "{Right|Sure|Sounds good|Understood}.",
    ),
    "question": (
        "How do I {get rid of aphids|compress a video|read a balance sheet|remove an oil stain}?",
        "Can I bring {a power bank|a pocket knife|a thermos} on a {plane|train}?",
        "What is {photosynthesis|a blockchain|opportunity cost|quantum entanglement}?",
        "When is the best time to visit {Iceland|Egypt|Georgia}?",
        "Why {do cats knead|is the sea salty|do planes stay up}?",
        'How do you pronounce "{quay|colonel|segue}"?',
    ),
    "task": (
        "{Write|Draft} {a sick note|a meeting agenda|five shop names|an itinerary} {for me|please}.",
        "Make {the paragraph above|the second part|this letter} {more formal|chattier|half as long}.",
        "Translate into French: {I am allergic to peanuts, please leave them out.|I live by the sea, come and visit.|My favourite colour is blue.}",
        "Polish this sentence: {I graduated from a college and work in sales.|My name is John and I am eighteen.}",
        "Write a {caption|toast|post} about {an autumn café|a product launch|a ten-year reunion}.",
        "This {code|query|formula} throws an error, {what's wrong|how do I fix it}?",
        "What's {30% off 380|18% VAT on 95|the time difference}?",
    ),
    "process": (
        "{Go on|Keep writing|Another version|Try a different one|Too long, shorter}.",
        "{Expand|Delete|Reword} point {two|three|four}.",
        "{No, start over|The layout is broken|You dropped a line|That title is weak}.",
    ),
    "mood": (
        "I'm {so tired|boiling|a bit grumpy|in a good mood} today{, give me a second|, anyway|}.",
        "{Just finished lunch|Stuck in traffic|I'm in a queue|My battery is dying}, {one moment|back in a bit}.",
        "{It's raining again|Upstairs are drilling again|The tube was packed today}.",
        "I'm a bit {hungry|cold|dizzy} right now.",
    ),
    "hypothetical": (
        "If I {won five million|could be invisible|had been born in Rome}, I'd {quit on the spot|buy you a coffee|write poems all day}.",
        "Suppose I {were vegan|lived on Mars|had three kids}: {how would you plan a week|what would you advise}?",
        "If I had {studied medicine|stayed at home back then}, {where would I be now|things might be different}.",
    ),
    "joke": (
        "My weight is a secret, {just like my savings|haha|kidding}.",
        "I'm going to {marry this bowl of noodles|move into the fridge|divorce my alarm clock}, {haha|lol|just kidding}.",
        "{Haha|Lol|Wow}, {you tell dad jokes too|that's a good one}.",
    ),
    "fiction": (
        "Write a story: {a lighthouse keeper gets a letter from the future|a talking bicycle|the last cassette shop}, the hero is called {Ori|Juno}.",
        "Let's role-play: {you're the innkeeper|you're a detective}, and I'm {a passing knight|a witness without memory}.",
        'In the novel the {general|heroine} says "{I will never return|I leave tomorrow}", {what does it foreshadow|what do you make of it}?',
    ),
    "others": (
        'He wrote in the group: "{I quit next month|I am afraid of dogs}."',
        "The news says {petrol is going up|they found a new dinosaur|the holiday calendar is out}.",
        "Some people {think remote work is slow|say early rising ruins the day}, {is that true|any data}?",
    ),
    "elsewhere": (
        "My order {says shipped|is still out for delivery|was signed for}.",
        "The balance {shows 200 left|looks wrong}.",
        "{The parcel number finds nothing|Where is my refund}?",
    ),
    "chat": (
        "Do you {dream|get bored|learn from books}?",
        "{Recommend|Name} {some thrillers|three hidden sights|songs for rainy days}.",
        "{Nice one|Makes sense|Good to know|I see}.",
    ),
}
# A secret in it; the words of ``{s}`` may be nowhere afterwards.
SECRETS = (
    "The {admin|router|cloud} password is {s}, {put it in the deployment notes|is that format okay}?",
    "Try this token: {s}",
    "The api key is {s}, {every request gives 401|how do I call it}?",
)
CARDS = (
    "Card number {s}, {which bank is that|how do instalments work}?",
    "I paid with {s} and {it never arrived|was charged twice}.",
)
REPLIES = (
    "Sure, {on it|let me look|one moment}.",
    "Of course. {Here is the revised version|Three ideas}.",
    "{Got it|Understood}. Anything else?",
    "It {depends|takes three steps}: first {gather everything|confirm the brief}, then {check each item|do the work}.",
    "You could {try another angle|start with the simple part}.",
)
RESULTS = (
    '{"city": "{Oslo|Lyon}", "temp": {12|19}, "rain": true}',
    "Search results: {top ten cities announced|six cafés nearby|user rating 4.6}",
)
# Before and after what is worth remembering.
BEFORE = ("By the way, ", "Oh, and one thing: ", "Before I forget: ", "Quick note: ", "", "")
AFTER = (
    "",
    "",
    " Anyway, {shorten the title|check the spelling} please.",
    " Okay, back to the text.",
    " That's all.",
)
