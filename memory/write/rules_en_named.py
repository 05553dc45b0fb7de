"""English: favourites, named things, limits, lists, and how to be answered."""

from memory.choices import Subtype
from memory.write.patterns import Rule
from memory.write.rules_en import en

_K = r"(?:[a-z][\w'’-]*(?: [a-z][\w'’-]*){0,2})"
_END = r"(?=[,.!?;:\n]|\Z| and ~| but ~| because~| so ~| for ~| since ~)"
# What an organisation or a household has one of, and calls by a name or a number.
_THING = (
    r"(?:host|server|database|branch|port|endpoint|cluster|region|queue|registry|gateway|proxy|bucket|room|desk|seat"
    r"|locker|parking (?:space|spot|bay)|space|slot|extension|version|release|domain|repo(?:sitory)?|vendor|supplier"
    r"|provider|carrier|bank|insurer|gym|dentist|vet|landlord|broker)"
)
_LIMIT = r"(?:budget|deadline|due date|launch date|delivery date|release date|limit|quota|cap)"
_LIST = r"(?P<k>(?:[\w-]+ ){0,2}?[\w-]+)(?:'s)? list"

NAMED: tuple[Rule, ...] = (
    en(
        "favourite",
        Subtype.PREFERENCE,
        rf"~(?:my|our)(?: (?:all[- ]time|absolute|new|current))* fav(?:ou?rites?|e|s) (?!thing|part|one~)(?P<k>{_K}?)"
        rf" (?:is|are)(?: now| still| definitely| probably)* (?P<v>[^.!?;,\n]{{1,40}}?)(?: now| these days)?{_END}"
        rf"|(?:\A|[.,!;:] )(?P<v2>[^,.!?;:\n]{{2,40}}?)(?: is| are|'s)(?: now| still)? (?:my|our) fav(?:ou?rite|e) (?!thing|part|one~)(?P<k2>{_K}){_END}"
        rf"|(?:\A|[.,!;:] )(?P<v3>[^,.!?;:\n]{{2,40}}?)(?: is| are) the (?P<k3>{_K}?) (?:i|we) (?:like|love|enjoy|prefer)(?: the)? (?:best|most)~"
        rf"|~the (?P<k4>{_K}?) (?:i|we) (?:like|love|enjoy|prefer)(?: the)? (?:best|most) (?:is|are) (?P<v4>[^,.!?;\n]{{2,40}}?){_END}"
        rf"|~(?:i|we) (?:like|love|prefer|enjoy) (?P<v5>[^,.!?;\n]{{2,40}}?) (?:more than|better than|over|to|above) (?:any|all|every)(?: of the)?(?: other)? (?P<k5>{_K}){_END}"
        rf"|~(?:my|our) (?:usual|go-to|regular) (?P<k7>{_K}?) (?:is|are)(?: now)? (?P<v7>[^.!?;,\n]{{1,40}}?)(?: now| these days)?{_END}"
        rf"|~(?:switched|changed|moved on) to (?P<v8>[a-z][a-z ]{{1,30}}?), (?:that|this|it)(?:'s| is) (?:now )?my (?:usual|go-to|fav(?:ou?rite|e)) (?P<k8>{_K}?)(?: now| these days)?{_END}"
        rf"|~(?:if|when) you (?:order|get|make|buy|bring|pick) (?P<k6>{_K}?),? (?P<v6>[a-z][a-z ]{{1,30}}?),? please[^.!?]{{0,20}}my fav",
        attribute="favourite",
        confidence=0.9,
    ),
    en(
        "seat",
        Subtype.PREFERENCE,
        r"\A(?![^?]{0,80}~(?:don'?t|do not|not|never|hate|no longer)~)[^?]{0,80}?~(?:prefer|like|love|want|take|takes|book|choose|pick|get|favou?r|sit in"
        r"|sit on|have|go for|switched to|need|prefers|likes)~[^.!?\n]{0,24}?~(?P<v>window|aisle|middle|(?:front|back)[- ]row|quiet[- ](?:coach|car|zone))(?:[- ]seats?|[- ]side)~"
        r"(?:[^.!?\n]{0,12}~on (?:the )?(?P<c>trains?|bus(?:es)?|coach(?:es)?)~)?",
        attribute="travel.seat",
        confidence=0.9,
    ),
    en(
        "list",
        Subtype.FACT,
        rf"~(?:add|put) (?P<v>[^.!?;\n]{{1,60}}?) (?:to|on|onto) (?:my|our|the) {_LIST}~"
        rf"|~(?:remove|take|cross|delete|drop|strike) (?P<v2>[^.!?;\n]{{1,60}}?) (?:off|from|out of)(?: of)? (?:my|our|the) {_LIST}~"
        rf"|~(?:my|our) {_LIST}(?: (?:is|has|contains|includes)|:) (?P<v3>[^.!?;\n]{{2,120}})",
        attribute="list",
        confidence=0.9,
    ),
    en(
        "limit",
        Subtype.CONSTRAINT,
        rf"(?:\A|~(?:my|our|the|that|and|but|so) )(?P<k>(?:(?!my~|our~|the~|is~|was~|of~)[\w-]+ ){{0,2}}{_LIMIT})(?:'s| is| has| was| will be)?(?: been)?(?: now)?"
        r"(?: (?:moved|changed|set|raised|increased|cut|reduced|lowered|extended|pushed|went(?: up| down)?|slipped|brought forward)(?: back| forward| up| down| out)?"
        rf"(?: to| by| until)?)?(?: now)?(?: on| at| by)? (?P<v>(?:[$€£¥]? ?[0-9]|monday|tuesday|wednesday|thursday|friday|saturday|sunday|(?:next|the end)~|jan|feb|mar|apr|may~|jun|jul|aug|sep|oct|nov|dec)[^.!?;,\n]{{0,30}}(?:,[0-9]{{3}}[^.!?;,\n]{{0,20}})?)"
        rf"|~(?:moved|changed|set|raised|increased|cut|reduced|lowered|extended|pushed) (?:my|our|the) (?P<k2>(?:[\w-]+ ){{0,2}}{_LIMIT})(?: back| forward)? to (?P<v2>[^.!?;\n]{{1,40}})",
        attribute="own",
        confidence=0.85,
    ),
    en(
        "own",
        Subtype.FACT,
        rf"~(?:my|our) (?!<KIN>~|(?:phone|mobile|cell|tel|e-?mail|birth|age~|salary|rent|pay|income|mortgage|weight|height|name|number|flight|order)\w*|[\w ]{{0,20}}(?:phone|birthday|password|email))(?P<k>{_K}?) (?:is|are)(?: now| currently)? (?P<v>(?:number |no\.? ?|#)?(?:[A-Z]{{0,3}}-?)?[0-9][\w:./-]{{0,12}})(?: now)?{_END}"
        rf"|~(?:my|our|the) (?!<KIN>~)(?P<k2>(?:[\w-]+ ){{0,2}}?{_THING}) (?:is|are) (?:now (?:called |on |in |at )?(?P<v2>[\w.:/-]+)|(?:on |in |at )?(?P<v3>[\w.:/-]+) now){_END}"
        rf"|(?:\A|[:,;] ?)(?!(?:it|that|this|there|here|he|she|which|who|what)~)(?P<v4>[A-Za-z][\w.-]*) (?:is|are) (?:now )?(?:my|our|the) (?:new |current )?(?P<k4>(?:[\w-]+ ){{0,2}}?{_THING})(?: now)?{_END}",
        attribute="own",
        confidence=0.8,
    ),
    en(
        "answers",
        Subtype.INSTRUCTION,
        r"<S> ?(?:prefers?|likes?|wants?|would like|'d like|expects?|needs?|favou?rs?) (?:(?:\w+|my|all|your),? ){0,4}?(?:answers|replies|responses|explanations|summaries|feedback)~[^?]{0,80}",
        attribute="instruction.style",
        confidence=0.85,
    ),
    en(
        "units",
        Subtype.INSTRUCTION,
        r"~(?:use|in|give me|prefer|show me|want|with)~[^.!?\n]{0,24}~(?P<v>metric|imperial|celsius|fahrenheit|kilometers|kilometres|miles|24[- ]hour|12[- ]hour)(?: (?:units?|system|time|clock|format|degrees))?~",
        attribute="instruction.units",
        confidence=0.85,
    ),
    en(
        "boundary",
        Subtype.INSTRUCTION,
        r"~(?:(?:please )?(?:don'?t|do not|never|stop) (?:ever )?(?:bring(?:ing)? up|mention(?:ing)?|ask(?:ing)? (?:me )?about|talk(?:ing)? (?:to me )?about|recommend(?:ing)?|suggest(?:ing)?|remind(?:ing)? me (?:of|about)|call(?:ing)? me)) (?P<v>(?!it~|that~|this~|anything~|what~|if~|me~)[^.!?;\n]{2,80})",
        attribute="instruction.boundary",
        confidence=0.85,
    ),
)
