"""English: goals, decisions, limits, projects, work and life events."""

from memory.choices import Subtype
from memory.write.patterns import Rule
from memory.write.rules_en import en

_PAST = (
    "(?:accepted|achieved|adopted|applied|arrived|ate|attended|baked|became|began|bought"
    "|broke|brought|built|camped|canceled|cancelled|caught|celebrated|chose|cleaned|climbed"
    "|closed|collected|completed|"
    "cooked|created|cut|danced|dealt|decided|designed|developed|did|discovered|donated|drank"
    "|drew|drove|earned|encountered|enrolled|enjoyed|entered|exhibited|expanded|experimented"
    "|explored|faced|failed|fell|"
    "finished|fixed|flew|fostered|found|founded|gained|gave|got|graduated|grew|hiked|hired"
    "|hit|hosted|hurt|injured|inherited|interviewed|invested|joined|kept|knitted|launched"
    "|learned|learnt|led|left|lost|"
    "made|married|met|mentored|moved|opened|ordered|organi[sz]ed|paid|painted|participated"
    "|partnered|passed|performed|photographed|picked|planned|planted|played|posted"
    "|practi[cs]ed|prepared|presented|"
    "published|quit|raised|ran|read|rebuilt|received|recorded|recovered|redesigned|registered"
    "|renovated|rented|repaired|replaced|researched|resigned|returned|rode|said yes|sang"
    "|saved|saw|sent|set|shut|signed|"
    "slept|sold|spent|spoke|started|stayed|stopped|struggled|studied|submitted|switched|swam"
    "|talked|taught|toured|trained|traveled|travelled|turned|upgraded|used|visited"
    "|volunteered|watched|went|won|wore|worked|wrote|took|"
    "(?!needed|wanted|liked|asked|mentioned|noticed|wondered|guessed|reali[sz]ed|loved|agreed"
    "|hoped|assumed|expected|supposed|tried|looked|seemed|checked|missed|promised|called"
    "|pasted|attached|changed|clicked|typed|copied|uploaded|shared|listed|provided|updated"
    "|described)[a-z]{3,}ed)"
)
_ING = (
    "(?:working on|learning|training|starting|building|creating|developing|studying|taking"
    "|teaching|writing|planning|preparing|organi[sz]ing|volunteering|running|launching"
    "|opening|trying out|researching|practi[cs]ing|"
    "reading|playing|raising|renovating|looking into|thinking (?:about|of)|saving|applying"
    "|designing|painting|making|moving|doing|getting (?:into|ready|back)|going through"
    "|dealing with|focusing on|expanding|hosting|"
    "collaborating|exploring|attending|experimenting|spending|helping|redesigning|growing"
    "|selling|leading|managing|cooking|living|offering|using|searching|job hunting|hunting"
    "|sprucing|setting up|putting together|adopting)"
)
_ADVS = (
    "(?: (?:just|finally|recently|already|also|actually|even|really|only|then|once|first"
    "|last week|yesterday|both|all|never|always|still|currently|now|been|gotta|so|totally"
    "|definitely))*"
)

WORK: tuple[Rule, ...] = (
    en(
        "lesson",
        Subtype.LESSON,
        r"~(?:lesson(?:s)? learn(?:ed|t)|the lesson (?:is|was)|(?:it )?turns? out|turned out"
        r"|root cause|the (?:real )?(?:cause|culprit|reason) (?:was|is)|(?:i"
        r"|we)(?:'ve)? (?:learned|learnt|realized|realised|found out)(?: the hard way)? that"
        r"|taught me (?:that|to))~[^?]{3,}",
        confidence=0.75,
    ),
    en(
        "decision",
        Subtype.DECISION,
        r"~(?:i|we|the (?:team|client|board|committee)|(?:my|our) (?P<who><KIN>))(?:'ve|'re| have"
        r"| has| are)?(?: also| both| all| finally| just| now| already| recently| then"
        r"| since)* (?:decided|agreed|chose|chosen|settled on|opted|went with|going with"
        r"|sticking with|picked(?! up)|selected|committed to|made up (?:my|our) mind|signed off on"
        r"|ruled out|dropped|switched (?:from|to|over)|migrat(?:ed|ing) (?:from|to|away)|signed up"
        r"|approved|finali[sz]ed|standardi[sz]ed on)~(?! (?:with you|that too))[^?]{2,}|~(?:let'?s"
        r"|i'?ll|we'?ll|i will|we will|i'?m going to|i think i'?ll|i'?d(?: like to)?"
        r"|i'?d say) (?:definitely |probably |just )?(?:(?:go|stick|stay|proceed) with|go for"
        r"|choose|pick|opt for|book|use)~ (?!it[.!]*\Z|that[.!]*\Z|my voice)[^?]{3,}"
        r"|~(?:final )?decision(?:s)?(?: is| was|:)~ ?[^?]{3,}",
        confidence=0.8,
    ),
    en(
        "constraint",
        Subtype.CONSTRAINT,
        r"~(?:(?:my|our|the|a|total|hard|maximum|max) )?(?:budget|deadline|ceiling|cap|limit"
        r"|due date|cost limit|spending limit|timeline|quota|launch date|delivery date)(?:'s| is"
        r"| was| of| for| at|:|,)?~[^?.!]{0,40}(?:[0-9$€£¥]|monday|tuesday|wednesday|thursday"
        r"|friday|saturday|sunday|january|february|march|april|june|july|august|september|october"
        r"|november|december|tomorrow|end of|eod|week|month|tight|fixed)[^?]{0,}|~(?:at most"
        r"|no more than|at least|not exceed|under|less than|up to|maximum of|by|before|due(?: on"
        r"| by)?) [$€£¥]?[0-9][\w,.:]*[^?]{0,30}~(?:budget|deadline|euros?|dollars?|eur|usd|k"
        r"|per month|days|hours|people|guests)~[^?]{0,}|~(?:policy|contract|lease|visa) (?:says|states|forbids|requires"
        r"|prohibits|does not allow|doesn'?t allow)~[^?]{3,}",
        attribute="project.constraint",
        confidence=0.85,
    ),
    en(
        "must",
        Subtype.CONSTRAINT,
        r"~(?:i|we|(?:my|our|the) (?:project|app|team|company|client|site|system|api|service"
        r"|report|data|contract|design|code|release|event|wedding|trip|customers?"
        r"|users?))~[^?.!,]{0,20}~(?:must(?: not|n'?t)?|has to|have to be|can'?t (?:exceed|use|be"
        r"|go over|afford|have|do|take)|cannot (?:exceed|use|be|afford|do)|needs? to (?:be|stay"
        r"|support|work|run)|isn'?t allowed|aren'?t allowed|may not|not allowed)~ (?!be (?:nice"
        r"|great|hard|so|fun|tough|honest)|have been|say|admit|believe|wait|help but|feel)[^?]{3,}",
        confidence=0.7,
        weak=True,
    ),
    en(
        "project",
        Subtype.FACT,
        r"~(?:our|my)(?: new| current| main| online| own| little| whole)* (?:company|team|project"
        r"|stack|app|product|production|prod|staging|database|db|backend|frontend|api|server|site"
        r"|website|repo|codebase|infra|pipeline|startup|business|store|shop|studio|agency|firm"
        r"|blog|channel|podcast|platform|clients?|customers?|service|cluster|domain|cloud)~(?:'s"
        r"| \w+){0,4}? (?:is|are|was|has|have|use|uses|run|runs|sits|lives|deploys?|serves?"
        r"|targets?|sells?|makes?|needs?|started|opened|launched|called|named|on|in|will)~ ?(?!you"
        r"|going well|broken|down|failing)(?P<v>[^?]{2,})|~we (?:use|run|deploy|host|rely on|build"
        r"|store|keep|ship|sell|offer|serve|support|develop|maintain|have) (?!to~|you|that|it|this"
        r"|a (?:question|problem)|no idea|the same)(?P<v2>[^?]{2,})|~(?:deployed|hosted"
        r"|running) (?:on|to|in|at) (?-i:[A-Za-z0-9])[^?]{1,}"
        r"|~the (?:[\w-]+ ){1,3}is (?P<v3>[\w.:/-]+) now~"
        r"|~(?P<v4>(?-i:[\w-]+)) was (?:switched off|turned off|retired|decommissioned|shut down"
        r"|replaced)~[^?]{0,}",
        attribute="project.stack",
        confidence=0.75,
    ),
    en(
        "goal",
        Subtype.GOAL,
        r"~(?:<WHO>)(?:'m|'ve|'d| am| are| is| have|'re)?(?: also| really| still| currently| now"
        r"| both| hopefully| definitely| always| just| been| so| even| all)* (?:plan(?:s"
        r"|ning)?(?: on| to| for)|want(?:s|ed)? to (?!know|ask|chat|talk|share|tell|say|hear"
        r"|see (?:if|what|how)|understand|make sure|talk about|discuss|create|write|get a|generate"
        r"|use (?:the|a)|find out)|would love to|'?d love to|hop(?:e|es|ing) to|aim(?:s"
        r"|ing)? (?:to|for)|intend(?:s|ing)? to|dream(?:s|ing)? (?:of|about)|working towards?"
        r"|training for|preparing for|saving (?:up )?for|going to (?!need|have to|say|ask)"
        r"|gonna (?!need|be)|wanna|looking (?:forward to|into|to (?:start|open|buy|move|become"
        r"|expand|hire|launch))|thinking (?:of|about)|considering|trying to|determined to|about to"
        r"|need to|have to|signed up for|applied (?:for|to)|visiting|heading to|travel+ing to"
        r"|flying to|getting ready (?:to|for)|excited (?:to|for|about))~ ?(?!(?:keep|stay|stop"
        r"|give|never|not|always|do my|make (?:sure|it)|get (?:me|back|this)|let|try|be (?:here"
        r"|there|great|so|fun|awesome|worth|honest)|say|tell|ask|check|see|hear)~)(?P<v>[^?]{3,})"
        r"|~<WHO>(?:'ll| will) (?:be )?(?:visit|travel|move|start|go|attend|open|launch|take|run"
        r"|fly|host|begin|participat|compet)\w* (?P<v2>[^?]{3,})",
        confidence=0.7,
        weak=True,
    ),
    en(
        "my_goal",
        Subtype.GOAL,
        r"~(?:my|our)(?: \w+){0,2} (?:goal|goals|dream|dreams|aim|plan|plans|objective|target"
        r"|resolution|wish|ambition|mission)(?:'s|s)? (?:is|are|was|for|to|has)~ ?(?P<v>[^?]{3,})",
        confidence=0.8,
        weak=True,
    ),
    en(
        "work_event",
        Subtype.WORK_PROGRESS,
        r"~(?:i|we|it|the [\w -]{1,24}|(?-i:[A-Z][\w.-]+)|(?:my|our) [\w -]{1,20})(?:'ve| have"
        r"| has| just| finally| already)* (?:fixed|shipped|released|deployed|launched|merged"
        r"|rolled back|migrated|published|delivered|crashed|failed|resolved|patched|went live"
        r"|is live|passed (?:the )?(?:tests|review|audit)|upgraded|refactored|completed"
        r"|signed)~[^?]{0,}|~(?:build|deploy(?:ment)?|release|migration|pipeline|job"
        r"|test suite)s? (?:failed|succeeded|passed|broke|went out)~[^?]{0,}",
        confidence=0.7,
        weak=True,
        tag="work",
    ),
    en(
        "feedback",
        Subtype.EVENT,
        r"~(?:the )?(?:client|customer|users?|boss|reviewers?|stakeholders?)s? (?:said|complained"
        r"|asked for|wants?|requested|loved|rejected|approved|reported)~[^?]{3,}|~(?:your|that"
        r"|this|the)(?: last)? (?:answer|reply|response|report|summary|suggestion"
        r"|recommendation)s? (?:was|were|is|are) (?:way |far |a bit |much )?(?:too (?:long|short"
        r"|vague|wordy|formal|technical)|not (?:detailed|specific|concise)|useless"
        r"|really (?:helpful|useful))~[^?]{0,}",
        confidence=0.7,
        tag="feedback",
    ),
    en(
        "past",
        Subtype.EVENT,
        rf"~(?:<WHO>)(?:'ve|'d| have| had| has)?{_ADVS} {_PAST}~(?!['’]t)(?! (?:it|that|you|this|the point|what you mean|your (?:message|point|answer|email))[.!,]?(?:\Z| and))[^?]{{3,}}",
        confidence=0.65,
        weak=True,
        tag="life",
    ),
    en(
        "dropped_i",
        Subtype.EVENT,
        rf"\A(?:(?:yeah|yes|hey|oh|well|so|wow|thanks|btw|by the way|and|but|actually|yep|haha)[,!. ]+(?:\w+[,!. ]+)?){{0,4}}(?:just |finally |recently |also |already ){{0,2}}{_PAST} (?:my|a|an|the|our|some|to|in|on|with|for|it)~[^?]{{3,}}",
        confidence=0.6,
        weak=True,
        tag="life",
    ),
    en(
        "ongoing",
        Subtype.EVENT,
        rf"~(?:<WHO>)(?:'m|'re|'ve been| am| are| is| have been| has been|'s){_ADVS} {_ING}~[^?]{{3,}}|~(?:i|we)(?:'ve|'ve got| have)(?: also| always| just)? been (?:\w+ing|to|into|in|part|feeling)~[^?]{{3,}}",
        confidence=0.6,
        weak=True,
        tag="life",
    ),
    en(
        "has_got",
        Subtype.EVENT,
        r"~(?:i|we)(?:'ve got| have got| have|'ve had| had| got)(?: also| always| just| some| a"
        r"| an| my| our| lots of| plenty of| this| these| two| three)+ (?!question|problem|idea"
        r"|feeling|point|doubt|clue|issue|look|minute|moment|lot (?:of )?(?:to|questions)"
        r"|chance to (?:see|read|look))[^?]{5,}|~(?:it'?s|it was|it'?s been(?! a (?:long|while))"
        r"|that'?s|this is|here'?s|here is|here are|this was) (?:been )?(?:always )?(?:one of "
        r"|all |a |the |such a |a picture of |a photo of |some of )*(?:my|our|i (?:made|painted"
        r"|got|took|bought|wrote|designed|created))~[^?]{3,}|~(?:dream|passion|hobby|gift|present"
        r"|tradition|favou?rite) (?:of (?:mine|ours)|from my|for me)~[^?]{0,}",
        confidence=0.6,
        weak=True,
        tag="life",
    ),
    en(
        "third_event",
        Subtype.EVENT,
        r"~(?:my|our) (?P<who><KIN>)~(?:'s)?[^?,.!]{0,30}~(?:is|are|was|were|has|have|had|got|went"
        r"|loves?|likes?|started|moved|works?|lives?|gave|made|came|took|told|wants?|needs?|broke"
        r"|helped|passed|turned|bought|did|enjoy(?:ed|s)?|love(?:d)?|and i)~[^?]{3,}",
        confidence=0.6,
        weak=True,
        tag="life",
    ),
    en(
        "means_to_me",
        Subtype.PREFERENCE,
        r"\A(?![^?]{0,40}~your~)[^?]{0,120}~(?:(?:means?|meant) (?:a lot|so much|everything"
        r"|the world) to me|is (?:so |really |very )?important to me|is my (?:passion|happy place"
        r"|escape|go-to|stress relief|therapy)|(?:gives?|gave|brings?|brought|makes?|made|helps?"
        r"|helped|has helped|have helped|calms|keeps|kept|lets|pushe[sd]|got) (?:me"
        r"|us)~ ?(?:\w+ ){0,2}(?:feel|joy|happy|happiness|peace|relax|calm|de-?stress|sense"
        r"|purpose|express|alive|freedom|inspir\w+|realize|realise|appreciate|closer|hope|courage"
        r"|strength|comfort|energy|motivat\w+|explore|find|through|grow|learn|smile)"
        r"|reminds? me (?:of|that|to)|inspired? me~|motivates me|my (?:journey|passion)"
        r"|i'?m (?:all )?about)~[^?]{0,}",
        confidence=0.6,
        weak=True,
        tag="taste",
    ),
)
