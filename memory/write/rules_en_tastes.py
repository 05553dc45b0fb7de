"""English: what the person likes, avoids and does as a habit."""

from memory.choices import Subtype
from memory.write.patterns import Rule
from memory.write.rules_en import en

TASTES: tuple[Rule, ...] = (
    en(
        "diet",
        Subtype.PREFERENCE,
        r"~<WHO><BE>?<ADV>(?: is| are| became| become| gone| went| going| eat(?:s|ing)?"
        r"| follow(?:s|ing)?| stick| on)*(?: an?| the| strictly| mostly| strict| avid| committed"
        r"| devoted| to| stick| whole-food,?| mainly)* (?P<v>(?:vegan|vegetarian|pescatarian|keto"
        r"|halal|kosher|gluten[- ]free|dairy[- ]free|plant[- ]based|low[- ]carb|paleo|flexitarian"
        r"|teetotal|lactose[- ]free)(?: diet)?)~|~<WHO><ADV> (?:don'?t|do not|doesn'?t|does not"
        r"|never|can'?t|cannot|won'?t|no longer|stopped|quit|gave up)(?: ever"
        r"| really)? (?P<v2>(?:eat|drink|touch|smoke|eating|drinking|smoking|caffeine|coffee|sugar"
        r"|alcohol|meat|dairy|cigarettes)[^.!?;,\n]{0,50})|~<WHO> only (?:eat"
        r"|drink)s?~ ?(?P<v3>[^.!?;,\n]{2,50})",
        attribute="diet.preference",
        confidence=0.85,
    ),
    en(
        "dislike",
        Subtype.PREFERENCE,
        r"~<WHO>(?:'ve|'m|'d)?(?:<ADV>) ?(?:hate|hates|dislike|dislikes|despise|detest|loathe"
        r"|abhor|can'?t stand|cannot stand|can'?t bear|can'?t tolerate|couldn'?t stand|(?:don'?t"
        r"|do not|doesn'?t|does not|no longer|never|didn'?t|can'?t|cannot|couldn'?t|won'?t"
        r"|will not)(?: \w+ly| much| particularly| ever)? (?:like|tolerate|stand|handle|consume"
        r"|attend|participate|engage|stay|play|travel|fly|shop|buy|purchase|own|go (?:to|on)"
        r"|work with|date|keep|gamble|drive|love|enjoy|care for|want|appreciate|trust|use|wear"
        r"|watch|read|listen|support|believe in|drink|eat|find|feel comfortable|do)|avoid|avoids"
        r"|refuse|refuses|am not (?:a (?:big |huge )?fan|into|fond|keen|interested|comfortable)"
        r"|'m not (?:(?:a |the )?(?:big |huge |biggest )?fan|(?:\w+ )?into|(?:\w+ )?fond"
        r"|(?:\w+ )?keen|(?:\w+ )?interested|(?:\w+ )?comfortable)|have (?:no interest"
        r"|an? (?:\w+ ){0,3}(?:dislike|aversion|distaste|hatred|phobia|fear)"
        r"|(?:\w+ ){0,2}sensitive|(?:\w+ ){0,2}(?:issues|trouble|difficulty|problems"
        r"|sensitivit(?:y|ies)) with|sensory)|strongly oppose|(?:am |'m )?(?:strongly |firmly "
        r"|vehemently |completely )?(?:opposed?(?: to)?|against)|(?:try|tend|like|aim) to (?:avoid"
        r"|stay away from|steer clear of)|steer clear of|stay away from|(?:am |'m )?(?:very "
        r"|extremely |highly |quite |a bit )?(?:sensitive|averse|resistant) to|(?:get|suffer from"
        r"|experience|struggle with)(?: \w+)? (?:motion sick\w*|seasick\w*|carsick\w*"
        r"|claustrophobi\w*|vertigo|anxious|anxiety)|'m (?:strictly |strongly )?against|afraid of"
        r"|am afraid of|find (?:[\w-]+ ){1,6}(?:\w+ing|too|hard|difficult|boring|overwhelming"
        r"|unappealing|uncomfortable|tedious|distasteful|unhealthy|unsettling"
        r"|disorienting))~ ?(?!to say|to admit|to ask|know|think|mind|understand|remember|see why"
        r"|how|it~|it when you|waste)(?P<v>[^?\n]{2,160})",
        attribute="taste.dislikes",
        confidence=0.85,
    ),
    en(
        "best",
        Subtype.PREFERENCE,
        r"(?P<v>[^,.!?;\n]{2,40}?) (?:is|are) (?:the|my) [^,.!?;\n]{0,30}?~(?:i|we) (?:like|love"
        r"|enjoy|prefer)(?: the)? (?:best|most)~",
        attribute="taste.likes",
        confidence=0.85,
    ),
    en(
        "prefer",
        Subtype.PREFERENCE,
        r"<S> ?(?:prefer|prefers|would rather|'d rather|favou?r|lean towards?|gravitate towards?"
        r"|'d prefer|would prefer|opt for|tend to (?:prefer|choose|go for)|have (?:a"
        r"|an) (?:\w+ )*(?:preference|fondness|passion|soft spot|weakness|thing)(?: for)?)~ ?<V>",
        attribute="taste.likes",
        confidence=0.9,
    ),
    en(
        "like",
        Subtype.PREFERENCE,
        r"<S>(?: is| are)? ?(?:love|loves|loved|adore|adores|enjoy|enjoys|enjoyed|like|likes"
        r"|cherish|(?:passionate|crazy|enthusiastic|serious) about|obsessed with|addicted to"
        r"|hooked on|fond of|partial to|keen on|into)~ (?!to (?:know|see|hear|help|check"
        r"|get (?:some|your)|learn (?:more|about)|ask|try (?:some|a)|have (?:your|you)|join you"
        r"|make something)|all the|(?:the )?(?:best|most)[.!]*\Z|your~|that you~|the (?:idea|sound"
        r"|way you)|(?:it|this|that)(?: (?:so much|too|a lot|when you))?[.!]*\Z|how (?:it|you|they"
        r"|your)|you~|how you|these (?:ideas|suggestions)|some help|this (?:answer|idea|plan"
        r"|one))<V>(?<!'d like)",
        attribute="taste.likes",
        confidence=0.8,
    ),
    en(
        "fan",
        Subtype.PREFERENCE,
        r"<S>(?: is| are)? ?(?:an? )?(?:\w+ ){0,2}(?:fan of|lover of|enthusiast|foodie|bookworm"
        r"|[\w-]+ fan|[\w-]+ lover|[\w-]+ buff|night owl|early bird|morning person)~<V>?",
        attribute="taste.likes",
        confidence=0.75,
        weak=True,
    ),
    en(
        "strict",
        Subtype.PREFERENCE,
        r"<S> ?only (?!just|want to (?:know|ask)|have a (?:minute|moment|question)|need|know|thing"
        r"|problem|wanted|tried|found|got|ask)(?:\w+)~ ?<V>|<S> ?(?:value|values|prioriti[sz]es?"
        r"|believe (?:in (?!you)|that)|insist on|rely (?:solely|only|heavily) on|make sure to"
        r"|need to have|require|appreciate(?! (?:it|your|the|all|you|that)))~ <V>",
        attribute="taste.likes",
        confidence=0.75,
    ),
    en(
        "sounds_right",
        Subtype.PREFERENCE,
        r"~(?:sounds?|seems?|looks?|feels?|is|would be|'d be)(?: like)?(?: (?:absolutely|exactly"
        r"|just|more|really|the|a|so|most))* (?:perfect|ideal|right|best|great|good|better"
        r"|up my alley|my (?:style|speed|taste|vibe)|what i(?:'m| am) looking for|appealing|lovely"
        r"|interesting|fit)(?: (?:fit|choice|match|option))?(?: for (?:me|us"
        r"|my)~)(?P<v>[^?\n]{0,120})",
        attribute="taste.likes",
        confidence=0.65,
    ),
    en(
        "no_appeal",
        Subtype.PREFERENCE,
        r"~(?:don'?t|do not|doesn'?t|does not|isn'?t|aren'?t|not)(?: really| quite"
        r"| exactly)? (?:appeal to me|align with my|my (?:thing|style|cup of tea|taste|speed)"
        r"|suit me|work for me|fit my|for me~|interest me|match my)[^?]{0,60}|~(?:too|a bit"
        r"|a little) [^.?!]{2,40} for (?:me|my (?:taste|liking|comfort))~",
        attribute="taste.dislikes",
        confidence=0.7,
    ),
    en(
        "habit",
        Subtype.PREFERENCE,
        r"<S> ?(?:go|goes|run|runs|swim|read|walk|work out|exercise|meditate|wake up|get up|drink"
        r"|cook|practi[cs]e|attend|visit|play|study|eat|watch|bike|jog|train|journal|volunteer"
        r"|have|smoke|dance|sing|paint|climb|box|hike|ski|row|teach|fast|call)~[^?]{0,60}~(?:a (?:day|week|month|night)|every|each|daily|weekly|on (?:mon|tues|wednes|thurs|fri|satur"
        r"|sun)days?|in the (?:morning|evening)s?|twice a|once a|at (?:night|[0-9]))~[^?]{0,60}",
        attribute="schedule.habit",
        confidence=0.75,
    ),
    en(
        "choice",
        Subtype.PREFERENCE,
        r"~(?:i|we) (?:always|usually|generally|typically|normally) (?:take|choose|pick|book|order"
        r"|get|go for|sit|use|wear|bring|buy|prefer|drink|eat|fly|travel)~ ?(?P<v>[^?.!;,\n]{2,60})",
        attribute="taste.likes",
        confidence=0.75,
    ),
)
