"""English: the parts its tables share, and lasting instructions. Order is precedence."""

from functools import partial

from memory.choices import Subtype
from memory.write.patterns import KIN_EN, Rule, rule

_ADV = (
    "(?: (?:really|absolutely|also|just|always|usually|often|generally|typically|still|now"
    "|currently|actually|very much|truly|strongly|"
    "definitely|particularly|especially|personally|sometimes|mostly|mainly|only|recently"
    "|finally|already|even|both|all|never|quite|rather|simply|"
    "genuinely|deeply|much|intensely|totally|completely|kind of|kinda|do|have|had|has|been|am"
    "|'m|would|'d|tend to|start(?:ed)? to|used to|can|a bit|so|severely|highly|mildly)){0,4}"
)
_WHO = r"(?:(?:my|our)(?: own)? (?P<who><KIN>)(?: [A-Z][a-z]+)?|i|we)"
_BE = "(?: am|'m| are|'re| is|'s| was| were|’m|’re|’s)"
_S = rf"~(?:<WHO>(?:'ve|'m|'d|’ve|’m|’d|'s|’s)?{_ADV})"
_V = r"(?P<v>[^.!?;\n]{1,160})"
_SHORT = (
    r"(?P<v>[^,.!?;:\n]{1,40}?)(?=[,.!?;:\n]| and ~| but ~| with ~| since ~| for ~| as ~"
    r"| because~| now~| so ~| in the ~|\Z)"
)
_ROLE = (
    "(?:engineer|developer|programmer|designer|teacher|professor|lecturer|doctor|nurse"
    "|physician|surgeon|pharmacist|lawyer|attorney|accountant|manager|director|analyst"
    "|scientist|"
    "researcher|student|writer|author|editor|journalist|artist|painter|photographer|musician"
    "|chef|cook|driver|pilot|officer|firefighter|soldier|founder|owner|entrepreneur"
    "|consultant|"
    "architect|translator|coach|trainer|barber|hairdresser|electrician|plumber|mechanic"
    "|carpenter|farmer|banker|economist|librarian|therapist|psychologist|dentist|vet"
    "|veterinarian|"
    "freelancer|contractor|intern|postdoc|phd|undergrad|graduate|waiter|waitress|bartender"
    "|barista|salesperson|secretary|receptionist|cashier|bookkeeper|producer|actor|actress"
    "|dancer|"
    "singer|homemaker|stay-at-home (?:mom|dad|parent)|retiree|recruiter|marketer|sre|cto|ceo"
    "|cfo|pm|tutor|instructor|paralegal|social worker|data engineer|nanny|gardener)s?"
)
en = partial(rule, ADV=_ADV, S=_S, WHO=_WHO, KIN=KIN_EN, BE=_BE, V=_V, SHORT=_SHORT, ROLE=_ROLE)
_START = (
    r"(?:\A|[.!;:,—–-] ?|~(?:and|so|also|but|please|then) )(?:please,? |hey,? |and |so "
    r"|also,? |oh,? )*"
)

_OPENING = r"\A(?:(?:please|hey|and|so|also|oh|ok|okay)[, ]+)*"

INSTRUCTIONS: tuple[Rule, ...] = (
    en(
        "address",
        Subtype.INSTRUCTION,
        r"~(?:call me|address me as|refer to me as|(?:i )?(?:go by|prefer to be called)|(?:you can"
        r"|everyone|people|friends) calls? me)(?: by)? (?!if|when|back|at|on|later|tomorrow|today"
        r"|tonight|crazy|a |an |the |up|in|to|about|for)(?P<v>[^\s,.!?;]{1,24}(?-i:(?: [A-Z][a-z]+)?))",
        attribute="identity.form_of_address",
        confidence=0.95,
    ),
    en(
        "language",
        Subtype.INSTRUCTION,
        r"~(?:(?:answer|reply|respond|speak|talk|write|communicate|summari[sz]e)(?: to)?(?: me"
        r"| everything| all reports?)?(?: only| always)? in|use|switch to) (?P<v>(?:british |american |plain |simple )?english|chinese"
        r"|mandarin|simplified chinese|french|german|spanish|japanese|korean|italian|portuguese)~",
        attribute="instruction.language",
        confidence=0.9,
    ),
    en(
        "lasting",
        Subtype.INSTRUCTION,
        r"~(?:from now on|going forward|from today(?: on)?|in (?:the )?future|henceforth"
        r"|from here on(?: out)?|in all (?:your|future|my)|for all (?:future|my)|every time (?:i"
        r"|you)|each time (?:i|you)|whenever you|as a (?:general )?rule)~[^?]{3,}",
        attribute="instruction.style",
        confidence=0.9,
    ),
    en(
        "lasting_after",
        Subtype.INSTRUCTION,
        _OPENING
        + r"(?:use|write|put|give|send|start|begin|end|keep|make|show|answer|format|quote|cite|list|add"
        r"|round|sign|include|leave|skip|sort|number|reply|speak|stick)~[^?]{3,}~(?:from now on|from today(?: on)?|going"
        r" forward|in (?:the )?future|henceforth)[.! ]*\Z"
        r"|"
        + _OPENING
        + r"(?:for|on|about|in) [^,.?]{3,40},? (?:please )?(?:always|never) (?!been|had|was)\w+[^?]{3,}",
        attribute="instruction.style",
        confidence=0.9,
    ),
    en(
        "always",
        Subtype.INSTRUCTION,
        _OPENING + r"(?:you (?:should |must |can )?)?(?:always|never|don'?t (?:you )?ever"
        r"|whenever i [^,]{2,50},(?: please)?|by default,?) (?!mind|been|had|was|again|here|there"
        r"|happy|glad|good|nice|the|forget|stop|quit|lose|thought|wanted|heard|seen|tried|liked"
        r"|loved|knew|enough|felt|used|be afraid|give up|a )(?:\w+)[^?]{3,}",
        attribute="instruction.style",
        confidence=0.85,
    ),
    en(
        "no_style",
        Subtype.INSTRUCTION,
        _START
        + r"(?:i (?:want|need|'?d like) you to )?(?:don'?t|do not|no|stop|avoid|without|skip the"
        r"|drop the|no more) (?:ever |use |using |send(?:ing)? |add(?:ing)? |put(?:ting)? "
        r"|include |including |writ(?:e|ing) |mention(?:ing)? |suggest(?:ing)? |recommend(?:ing)? "
        r"|call(?:ing)? me |any |with |me )*(?:emojis?|markdown|bullet(?: point)?s?|tables?"
        r"|headings?|exclamation (?:marks?|points?)|jargon|small talk|apologi[sz]\w*|disclaimers?"
        r"|comments|slang|filler|acronyms|bold|em[- ]dashes|caps|code blocks?|greetings|flattery"
        r"|meat|alcohol|seafood|sir|ma'?am)~",
        attribute="instruction.style",
        confidence=0.85,
    ),
    en(
        "keep_style",
        Subtype.INSTRUCTION,
        _START
        + r"(?:keep|make|write|format) (?:your |the |all |my |any )?(?:answers?|repl(?:y|ies)"
        r"|responses?|reports?|summar(?:y|ies)|messages?|emails?|explanations?|code"
        r"|it)(?: always)? (?:short|brief|concise|formal|informal|simple|under|below|in|to|as"
        r"|plain|polite|terse|factual|friendly|professional)~[^?]{0,}",
        attribute="instruction.style",
        weak=True,
    ),
    en(
        "want_you",
        Subtype.INSTRUCTION,
        r"~i(?:'d)? (?:want|need|like|prefer|expect) (?:you|your (?:answers|replies|responses)"
        r"|answers|replies|responses|reports) (?:to|in|with|short|brief)~(?! (?:help|write"
        r"|generate|create|explain|give|tell|act|find|make|provide|list|rewrite|be (?:a|an"
        r"|my)))[^?]{3,}",
        attribute="instruction.style",
        weak=True,
    ),
    en(
        "remind",
        Subtype.INSTRUCTION,
        r"~remind me (?:to|about|of|that|every|when)~[^?]{3,}",
        attribute="instruction.style",
    ),
)
