"""English: who the person is, where they live, what they do, whom they know."""

from memory.choices import Subtype
from memory.write.patterns import Rule
from memory.write.rules_en import en

# "I'm Anna" names somebody, "I'm German" says what somebody is.
_KIND_OF_PEOPLE = (
    r"(?:German|French|Dutch|Greek|Swiss|Thai|Czech|Arab|Iraqi|Israeli|Pakistani|Filipin[oa]|Latin[oa]"
    r"|Welsh|Catholic|Muslim|Hindu|Sikh|Buddhist|Protestant|Atheist|Jew|Vegan|Vegetarian|Deaf|Autistic"
    r"|[A-Z]\w*(?:ese|ish|(?<!Ju)(?<!Lil)lian|nian|ssian|adian|gian|rican|xican|oan))"
)

FACTS: tuple[Rule, ...] = (
    en(
        "allergy",
        Subtype.FACT,
        r"~(?:<WHO>)<BE>?<ADV>(?: is| are)?(?: \w+ly)? ?allergic to "
        r"(?P<v>[^.!?;\n]{1,60}?)(?=[,.!?;\n]| and i~| so ~| but ~|\Z)|~<WHO>(?:'ve)?<ADV> (?:has"
        r"|have|got|had|suffer from)(?: got)? (?:an? )?(?:\w+ )?(?P<v2>[\w ]{2,24}) (?:allergy"
        r"|allergies|intolerance)~|~(?:my|our)(?: (?P<who2><KIN>)'s)? (?P<v3>[\w ]{2,24}) allergy~",
        attribute="diet.allergy",
        confidence=0.95,
    ),
    en(
        "intolerance",
        Subtype.FACT,
        r"~<WHO><BE>?<ADV> (?P<v>(?:lactose|gluten|fructose|histamine)[- ]intolerant|coeliac"
        r"|celiac)~",
        attribute="diet.allergy",
        confidence=0.9,
    ),
    en(
        "name",
        Subtype.FACT,
        r"~(?:my (?:full |first |last |real )?name(?:'s| is)|i am called|i'm called|(?:hi|hello"
        r"|hey)[,!.]? (?:there[,!.]? )?(?:i'm|i am|this is)"
        r"|this is)(?: the)? (?P<v>(?-i:[A-Z][\w'’-]+(?: (?:[A-Z][\w'’.-]+|de|van|von|da)){0,3}))"
        r"|\A(?:i'm|i am) (?!(?-i:"
        + _KIND_OF_PEOPLE
        + r")~)(?P<v2>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))(?=[,.!]| and ~|\Z)",
        attribute="identity.name",
        confidence=0.9,
    ),
    en(
        "kin_name",
        Subtype.RELATION,
        r"~(?:my|our) (?P<who><KIN>)(?:'s name)?(?: is| are|'s)(?: called"
        r"| named)? (?P<v>(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?))~"
        r"|~(?P<v2>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)) is my (?P<who2><KIN>)~"
        r"|~my (?P<who3><KIN>),? (?P<v3>(?-i:[A-Z][a-z]+))(?:,|~)",
        tag="relation",
        confidence=0.85,
    ),
    en(
        "birthday",
        Subtype.FACT,
        r"~(?:my (?:(?P<who><KIN>)'s )?birthday(?:'s| is| falls)|(?:i was|i'm|<WHO> (?:was"
        r"|were)) born)(?: on| in)? (?P<v>[^.!?;\n]{3,40})",
        attribute="identity.birthday",
        confidence=0.9,
    ),
    en(
        "age",
        Subtype.FACT,
        r"~<WHO><BE>?(?: is| are| just)?(?: turned| turning)? (?P<v>[1-9][0-9]?)(?: years? old"
        r"| ?y/?o~|(?=[,.!;]|\Z| and ~))|~as an? (?P<v2>[1-9][0-9])[- ]year[- ]old~",
        attribute="identity.age",
        confidence=0.8,
    ),
    en(
        "home",
        Subtype.FACT,
        r"<S>(?: is| are)? ?(?:live|lives|living|reside|resides|based|moved|moving|relocated"
        r"|relocating|settled|just moved|staying permanently)(?: (?:back|here|over|down|up|out|in"
        r"|together|alone|now|permanently|full[- ]time))? (?:in|to|into|at|near|outside"
        r"|(?<=live )on|from)(?: the)? (?P<v>(?!(?:flat|apartment|apt|room|unit|house number)~|[0-9])[^.!?;\n]{2,60}?)(?=[,.!?;\n]| with ~| and ~| since ~"
        r"| for ~| because ~| last ~| next ~| when ~| but ~| now~| from ~| in [0-9]|\Z)"
        r"|~(?:my|our) home is(?: now)? in (?P<v2>[^.!?;,\n]{2,40}?)(?=[,.!?;\n]| now~|\Z)",
        attribute="home.city",
        confidence=0.9,
    ),
    en(
        "origin",
        Subtype.FACT,
        r"~(?:<WHO><BE>?<ADV>(?: is| are)?(?: originally)? from|<WHO><ADV> (?:grew|grow) up in"
        r"|<WHO><ADV> (?:come|comes) from|my home(?: ?town| country)(?: is"
        r"|'s))(?: the)? (?P<v>(?-i:[A-Z])[^.!?;,\n]{1,40}?)(?=[,.!?;\n]| and ~| but ~|\Z)",
        attribute="identity.origin",
        confidence=0.8,
    ),
    en(
        "timezone",
        Subtype.FACT,
        r"~(?:my|our) time ?zone(?:'s| is) (?P<v>[^.!?;,\n]{2,30})",
        attribute="home.timezone",
        confidence=0.9,
    ),
    en(
        "job",
        Subtype.FACT,
        r"~<WHO><BE>?<ADV>(?: is| are| work(?:s|ed|ing)? as| became"
        r"| become)? an? (?P<v>(?:[\w/&-]+ ){0,4}?<ROLE>)~(?! (?:of|fan))"
        r"|~(?:<WHO>)<ADV> ?work(?:s|ed|ing)? as (?:an? "
        r"|the )?(?P<v2>[^.!?;,\n]{3,50}?)(?=[,.!?;\n]| at ~| for ~| and ~| in ~|\Z)|~(?:my"
        r"|our) (?:job|role|position|profession|occupation)(?:'s| is)(?: as"
        r"| to)? (?P<v3>[^.!?;,\n]{3,50})"
        r"|~i(?:'m| am) an? (?P<v4>[a-z][\w -]{2,30}?) (?:by (?:trade|profession|training)|for a living)~"
        r"|~changed (?:jobs|careers)(?: (?:last|this|in|a|two|three) [\w ]{3,16}?)?[:,;.]? (?:and )?i(?:'m| am) (?:now )?an? (?P<v5>[\w -]{3,30}?)(?: now)?(?=[,.!]|\Z)"
        r"|~(?:i|i've|i have) (?:just )?started (?:working )?as an? (?P<v6>[\w -]{3,30}?)(?=[,.!]|\Z)",
        attribute="work.role",
        confidence=0.85,
    ),
    en(
        "employer",
        Subtype.FACT,
        r"<S> ?(?:work(?:s|ed|ing)?|employed|intern(?:ing|ed)?|started)(?: a new job| working"
        r"| full[- ]time| part[- ]time| remotely)? (?:at|for|with) (?!home|night|weekends|a while"
        r"|it|that|least|the moment|me|you|myself|hours|days|years|this"
        r"|all)(?:the )?(?P<v>[^.!?;,\n]{2,40}?)(?=[,.!?;\n]| and ~| as ~| in ~| since ~| for ~"
        r"|\Z)|<S> ?(?:joined|left|quit) (?P<v2>(?-i:[A-Z])[^.!?;,\n]{1,30}?)(?=[,.!?;\n]| and ~"
        r"| as ~| in ~| last ~|\Z)",
        attribute="work.employer",
        confidence=0.8,
    ),
    en(
        "job_change",
        Subtype.FACT,
        r"<S> ?(?:lost|quit|left|got|started|landed|accepted|resigned from|retired from"
        r"|been laid off from|laid off from)(?: my| a| the| our)?(?: \w+){0,2} (?:job|role"
        r"|position|company|promotion|career)~|<S> ?(?:retired|got (?:promoted|fired|laid off))~",
        attribute="work.role",
        confidence=0.75,
    ),
    en(
        "school",
        Subtype.FACT,
        r"<S>(?: is| are)? ?(?:study|studies|studying|studied|major(?:ing|ed)? in|graduated from"
        r"|attend(?:s|ed|ing)?|enrolled (?:in|at)|going back to|taking)(?: at"
        r"| in)? (?P<v>[^.!?;,\n]{3,50})(?<!for my test)",
        attribute="education.school",
        confidence=0.75,
        weak=True,
    ),
    en(
        "pet",
        Subtype.FACT,
        r"<S> ?(?:have|has|got|adopted|own|owns|rescued)(?: (?:a|an|two|three|four|some|my|our"
        r"|another|[0-9]))?(?: [\w-]+){0,3} (?P<v>(?:dogs?|cats?|puppy|puppies|kittens?|rabbits?"
        r"|hamsters?|parrots?|turtles?|horses?|guinea pigs?|goldfish|snakes?|pets?|retriever"
        r"|labrador|poodle|chickens?|bees))~|~(?:my|our) (?P<v2>(?:dogs?|cats?|puppy|puppies"
        r"|kittens?|rabbits?|hamsters?|parrots?|pets?|pups?))(?:'s)?(?: name)?(?: is| are|,"
        r"| called|'s) [^?]{2,}",
        attribute="pets",
        confidence=0.85,
    ),
    en(
        "family",
        Subtype.RELATION,
        r"<S> ?(?:have|has|got|am (?:the )?(?:father|mother|parent) of|adopted|expecting"
        r"|raising)(?: (?:a|an|two|three|four|five|no|one|some|our|[0-9]|young|little|grown|older"
        r"|younger|twin|teenage|beautiful))* (?P<v>(?:kids?|child(?:ren)?|sons?|daughters?|bab(?:y"
        r"|ies)|twins|brothers?|sisters?|siblings|girlfriend|boyfriend|husband|wife|grandkids"
        r"|nieces?|nephews?))~|~<WHO><BE>?<ADV>(?: is| are| got| get| getting)? (?P<v2>(?:married"
        r"|divorced|engaged|single|widowed|a (?:single )?(?:mom|dad|mother|father"
        r"|parent)))~(?! to the idea)",
        attribute="family.partner",
        confidence=0.8,
    ),
    en(
        "health",
        Subtype.FACT,
        r"~<WHO>(?:'ve)?<BE>?<ADV>(?: (?:has|have|had|got|is|was|were|been|suffer(?:s|ed)? from"
        r"|diagnosed with|recovering from|struggl\w+ with|living with))+ (?:an? |my |some |mild "
        r"|severe |chronic |type [12] |early |high |low )*(?P<v>(?:[\w-]+ )?(?:asthma|diabet\w+"
        r"|hypertension|cancer|arthritis|depression|bipolar(?: disorder)?|adhd|autis\w+|ptsd|ocd"
        r"|anxiety(?: disorder)?|epilep\w+|migraines?|insomnia|pregnan\w+|blood pressure"
        r"|cholesterol|heart (?:condition|disease)|back pain|(?:bad|weak) (?:knee|back)|surgery"
        r"|injury|dyslexi\w+|eczema|vertigo|color ?blind|celiac disease|medical condition"
        r"|sleep apnea|disability|sciatica|tinnitus|gout|thyroid))~|~<WHO><ADV> (?:take|takes"
        r"|taking|on) (?P<v2>[^.!?;,\n]{0,30}(?:[0-9]+ ?mg|medication|insulin|antidepressants"
        r"|pills|inhaler))|~(?:my|our) (?:therapist|doctor|psychiatrist|gp)~[^?]{3,}",
        attribute="health.condition",
        confidence=0.8,
    ),
    en(
        "skill",
        Subtype.FACT,
        r"<S>(?: is| are)? ?(?:speak|speaks|play|plays|playing|coach|coaches|teach|teaches"
        r"|learning(?: to| how to)?|fluent in|good at|bad at"
        r"|know how to|certified in) (?!around|with (?:the|it)|a (?:role|part)|safe|out|nice"
        r"|about)(?P<v>[^.!?;,\n]{2,50})",
        attribute="skills",
        confidence=0.7,
    ),
    en(
        "device",
        Subtype.FACT,
        r"<S> ?(?:use|uses|using|own|owns|drive|drives|have|bought|switched to)(?: an?| my"
        r"| the)? (?P<v>(?:[\w-]+ ){0,2}(?:iphone|android|macbook|thinkpad|pixel|ipad|laptop"
        r"|kindle|tesla|toyota|honda|ford|bmw|windows|linux|ubuntu|mac)(?: [\w-]+)?)~",
        attribute="devices.owned",
        confidence=0.75,
    ),
    en(
        "phone",
        Subtype.FACT,
        r"~my (?:(?P<who><KIN>)'s )?(?:phone|mobile|cell)?(?: phone)? ?number(?:'s"
        r"| is)(?: now)? (?P<v>\+?[0-9][0-9 ()-]{5,20})"
        r"|~my (?:new )?(?:phone|mobile|cell)(?: is|'s)(?: now)? (?P<v2>\+?[0-9][0-9 ()-]{5,20})"
        r"|~(?:reach|call|text|ring|phone) me (?:on|at) (?P<v3>\+?[0-9][0-9 ()-]{5,20})",
        attribute="contact.phone",
        confidence=0.9,
    ),
    en(
        "email",
        Subtype.FACT,
        r"~my (?:(?P<who><KIN>)'s )?e-?mail(?: address)?(?:'s"
        r"| is)(?: now)? (?P<v>[^\s,;]+@[^\s,;]+)",
        attribute="contact.email",
        confidence=0.9,
    ),
    en(
        "income",
        Subtype.FACT,
        r"~(?:they|<WHO>)(?:'ll)?<ADV> ?(?:pays? me|paid me|earns?|makes?"
        r"|owes?) (?P<v>[$€£¥]?[0-9][^.!?;\n]{1,40})|~my (?:salary|income|pay|rent|mortgage)(?: is"
        r"|'s| was)(?: now)? (?P<v>[^.!?;\n]{2,40})",
        attribute="finance.income",
        confidence=0.85,
    ),
    en(
        "favourite",
        Subtype.PREFERENCE,
        r"~(?:my|our)(?: all[- ]time| absolute)? fav(?:ou?rites?|e|s)?(?: \w+){0,3}(?:'s| is| are"
        r"| would be|:)? (?P<v>[^.!?;\n]{2,80})|~(?:is|are|it'?s)(?: one of)? my fav(?:ou?rite"
        r"|e)?~",
        attribute="taste.likes",
        confidence=0.85,
    ),
    en(
        "possessive",
        Subtype.FACT,
        r"~(?:my|our) (?!<KIN>~|(?:production|prod|staging|stack|backend|frontend|server|database|company|project|product|app|website|repo|pipeline|business|startup|store|cluster)~|question|point|guess|bad|day|week|weekend|morning|mood|head"
        r"|problem|issue|code|understanding|thoughts?|goal|dream|plan|budget|god|heart|apologies"
        r"|mistake|concern|worry|first|last|only|main|next|guy|life"
        r"|favo)(?P<k>[a-z][\w'’ -]{1,30}?) (?:is|are|will be|was|were) (?!not|so|very|too|really"
        r"|going|broken|down|slow|working|failing|good|bad|great|fine|okay|ok|wrong|getting|coming"
        r"|being|still|always|gonna|just|pretty|doing|looking|feeling|sounds?|ready|here|there"
        r"|excited)(?P<v>[^.!?;\n]{1,80})",
        confidence=0.65,
    ),
)
