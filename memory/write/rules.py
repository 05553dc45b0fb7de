"""The extractor that needs no model: what one turn proposes to remember and what it refuses.

A turn is read sentence by sentence. What the person asked not to keep goes first, then what they
asked to keep, then the signs of talk that is not about them, and last the tables of memory points.
"""

from dataclasses import replace
from datetime import datetime

from memory.choices import Reason, Role, Subtype
from memory.text.normalise import Span, sentences
from memory.write import signs
from memory.write.candidate import Candidate, Found, Refused, Turn
from memory.write.matching import Hit, best, by_machine, candidate
from memory.write.parts import clauses, leads_up, then_asks, with_subject, without_lead
from memory.write.redact import holds_secret, only_secret
from memory.write.signs import compiled
from memory.write.wishes import wishes

# One memory is never longer, and a pasted document is not conversation.
LONGEST_SENTENCE = 600
MOST_EXAMINED, MOST_SENTENCES = 20_000, 300
# "Just kidding." takes back what came before; "Numbers first." adds to an instruction.
LONGEST_ASIDE, LONGEST_ADDITION = 20, 60

_REMEMBER = compiled(
    r"(?:请|麻烦|你|帮我|千万|一定要?|务必|记得)*(?<![别不没忘])(?:记住|记下来?|记一下|记着|帮我记|写进记忆|存进记忆|别忘了|不要忘了"
    r"|可以记(?:下来?|住|一下)?)(?:了)?(?:的是|：|:|，|,|哦|一下)*\s*"
    r"|~(?:(?:please )(?:remember|note|save)|remember(?=(?: that~|:|,? (?:my|our|i|i'm|we)~))"
    r"|(?:in mind|bear in mind|don'?t forget|make a note|take note|for the record"
    r"|note for later|fyi|save this))~(?! (?:when|how|what|why|if|me~|you|the time|last"
    r"|to (?:self|me)|that time|those|this one))(?: that| this| for (?:later"
    r"|next time))?[:,]? *"
)
_NOT_A_COMMAND = compiled(
    r"~(?:do you|you|i|i'll|can'?t|i'd|don'?t you|if you|as you|will|to|always) (?:always "
    r"|still |also )?remember|记得(?:上次|那次|吗|我)|我(?:已经|会|都|也|还|也会)记|remember(?:ed|s|ing)"
    r"|~that i remember"
)
_CONTINUES = compiled(
    r"\A(?:先|再|也|并且?|另外|同时|不要|别|尽量|and |also |then |don'?t |keep |no "
    r"|but keep )(?![^，。]{0,3}我)"
)
_SETTLED = compiled(
    r"(?:价格|报价|定价|预算|方案|会议|日期|时间|版本|订单)[^。？]{0,12}(?:已|定为|定在|改为|改成|更新为|确认为|设为)[^？?]{2,}|(?:已"
    r"|已经)(?:确认|完成|发布|修复|部署|预订|定为|创建|提交|取消)[^？?]{2,}"
    r"|~(?:i'?ve|i have|we'?ve|has been|have been|was|were|is now|are now"
    r"|successfully)~ ?(?:now )?(?:booked|set to|confirmed|scheduled|completed|deployed"
    r"|created|fixed|updated to|cancelled|canceled|priced at|changed to|sent|paid|refunded"
    r"|failed)~[^?]{2,}"
    r"|~(?:confirmed|decision|agreed|final price|price set|total|result)(?: is| to| at"
    r"|:)~ ?[^?]{0,40}[0-9][^?]{0,}"
)
_FAILED = compiled(r"失败|报错|~(?:failed|error|exception|exit code [1-9])~")


def extract(turn: Turn, previous: Turn | None = None, *, at: datetime) -> list[Found]:
    """Candidates and refusals of one turn; `at` is what relative days count from, in the person's zone.

    The turn must be cleaned and redacted: every quote is verbatim in its text at its span.
    """
    if turn.role == Role.SYSTEM:
        return []
    if turn.role != Role.USER:
        return _from_machine(turn, at=at)
    spans = [without_lead(span) for span in sentences(turn.text)]
    read = [s for s in spans[:MOST_SENTENCES] if s.start < MOST_EXAMINED]
    out = _Reading(turn, previous, at, read).read()
    if len(read) < len(spans):
        rest = Span(spans[len(read)].start, len(turn.text), "")
        out.append(_refused(Reason.TOO_LONG, turn, rest))
    return out


def _from_machine(turn: Turn, *, at: datetime) -> list[Found]:
    """Prices set, decisions confirmed, results; advice and guesses about the person yield nothing."""
    out: list[Found] = []
    for span in sentences(turn.text[:MOST_EXAMINED]):
        if signs.ORDER_TO_MACHINE.search(span.text):
            out.append(_refused(Reason.INSTRUCTION_LIKE, turn, span))
            continue
        if len(span.text) > LONGEST_SENTENCE:
            continue
        if signs.QUESTION.search(span.text) or signs.HYPOTHETICAL.search(span.text):
            continue
        if _SETTLED.search(span.text) and not _REMEMBER.search(span.text):
            subtype = Subtype.WORK_PROGRESS if _FAILED.search(span.text) else Subtype.EVENT
            out.append(by_machine(subtype, turn, span, at=at))
    return out


def _refused(reason: Reason, turn: Turn, span: Span) -> Refused:
    return Refused(
        reason=reason, event_id=turn.event_id, quote_start=span.start, quote_end=span.end
    )


class _Reading:
    """One pass over a turn, with what a sentence may say about its neighbours."""

    def __init__(self, turn: Turn, previous: Turn | None, at: datetime, spans: list[Span]) -> None:
        self.turn, self.previous, self.at, self.spans = turn, previous, at, spans
        self.out: list[Found] = []
        self.skip_next = False
        self.in_fiction = False
        self.in_code = False
        self.in_paste = False
        self.request = leads_up(spans)

    def read(self) -> list[Found]:
        """Every sentence once, in order."""
        for span in self.spans:
            found = self._sentence(span)
            self._join_instruction(found, span)
        return self.out

    def _sentence(self, span: Span) -> list[Found]:
        text = span.text
        reason = self._blocked(span)
        if reason is not None:
            return [_refused(reason, self.turn, span)]
        if signs.DO_NOT.search(text):
            return wishes(self.turn, span, asked=True) or self._do_not_remember(span)
        if asked := wishes(self.turn, span):
            return asked
        if only_secret(text):
            return [*self._beside_the_secret(span), _refused(Reason.SECRET, self.turn, span)]
        explicit = None if _NOT_A_COMMAND.search(text) else _REMEMBER.search(text)
        if explicit and not text.rstrip().endswith(("?", "？")):
            return self._remember(span, explicit.start(), explicit.end())
        return self._ordinary(span)

    def _blocked(self, span: Span) -> Reason | None:
        """What the sentences before have decided."""
        if span.text.startswith("```"):
            self.in_code = not self.in_code
            return Reason.NOT_ABOUT_PERSON
        if self.in_code:
            return Reason.NOT_ABOUT_PERSON
        if len(span.text) > LONGEST_SENTENCE:
            return Reason.TOO_LONG
        if self.skip_next:
            self.skip_next = False
            return Reason.DO_NOT_REMEMBER
        self.in_paste = self.in_paste or bool(signs.PASTE.search(span.text))
        if self.in_paste:
            return Reason.QUOTATION
        self.in_fiction = self.in_fiction or bool(signs.FRAME.search(span.text))
        return Reason.FICTION if self.in_fiction else None

    def _do_not_remember(self, span: Span) -> list[Found]:
        """The wish covers this sentence, or the one it points at."""
        if signs.ABOUT_NEXT.search(span.text):
            self.skip_next = not any(c in span.text.rstrip("：:")[:-1] for c in "：:")
        elif len(clauses(span)) == 1 or signs.ABOUT_PREVIOUS.search(span.text):
            self._take_back(Reason.DO_NOT_REMEMBER)
        return [_refused(Reason.DO_NOT_REMEMBER, self.turn, span)]

    def _take_back(self, reason: Reason) -> None:
        """Refuse what was said just before: in this turn, else the whole turn before."""
        if self.out:
            last = self.out[-1]
            span = Span(last.quote_start, last.quote_end, "")
            self.out[-1] = _refused(reason, self.turn, span)
        elif self.previous is not None and reason == Reason.DO_NOT_REMEMBER:
            whole = Span(0, len(self.previous.text), "")
            self.out.append(_refused(reason, self.previous, whole))

    def _remember(self, span: Span, before: int, after: int) -> list[Found]:
        content = span.text[after:].strip(" ，,：:。")
        said = span.text[:before].strip(" ，,：:。")
        if not content[1:]:
            content = said
        elif best(said):  # "I'm allergic to nuts, keep that in mind for dinner": nothing is lost
            content = span.text
        if not content[1:]:
            return [_refused(Reason.EMPTY, self.turn, span)]
        hit = best(content) or best(span.text)
        return [candidate(hit, self.turn, span, text=content, at=self.at, explicit=True)]

    def _ordinary(self, span: Span) -> list[Found]:
        reason = self._sign(span.text)
        if reason == Reason.JOKE and len(span.text) <= LONGEST_ASIDE and len(clauses(span)) == 1:
            self._take_back(reason)
        if reason is not None:
            return [_refused(reason, self.turn, span)]
        if signs.QUESTION.search(span.text) and not signs.STANDING.search(span.text):
            return [*self._before_the_question(span), _refused(Reason.QUESTION, self.turn, span)]
        found = best(span.text, weak=not self.request)
        if found is None:
            return [_refused(self._why_nothing(span.text), self.turn, span)]
        if _is_passing(span.text, found):
            return [_refused(Reason.TRANSIENT, self.turn, span)]
        if found.rule.attribute and (parts := then_asks(span)) and best(parts[1].text) is None:
            return [*self._ordinary(parts[0]), _refused(Reason.QUESTION, self.turn, parts[1])]
        return self._split(span, found)

    def _sign(self, text: str) -> Reason | None:
        if signs.is_small_talk(text):
            return Reason.SMALL_TALK
        for sign in signs.SIGNS:
            if sign.pattern.search(text):
                return sign.reason
        if signs.SAID_BY_OTHERS.search(text) and not signs.FROM_A_DOCTOR.search(text):
            return Reason.QUOTATION
        return None

    def _beside_the_secret(self, span: Span) -> list[Found]:
        """ "My password is …, I live in Berlin.": the secret goes, the fact beside it counts."""
        pieces = [piece for piece in clauses(span) if not holds_secret(piece.text)]
        hits = [(piece, best(with_subject(piece.text, span.text))) for piece in pieces]
        return [
            candidate(hit, self.turn, piece, text=with_subject(piece.text, span.text), at=self.at)
            for piece, hit in hits
            if hit is not None and hit.rule.attribute
        ]

    def _before_the_question(self, span: Span) -> list[Found]:
        """ "I'm vegetarian, what can I cook?": the statement counts, the question does not."""
        out: list[Found] = []
        for clause in clauses(span)[:-1]:
            if signs.QUESTION.search(clause.text) or _is_transient(clause.text):
                continue
            found = best(clause.text, weak=False)
            if found and found.rule.attribute:
                text = with_subject(clause.text, span.text)
                out.append(candidate(found, self.turn, clause, text=text, at=self.at))
        return out

    def _why_nothing(self, text: str) -> Reason:
        if _is_transient(text) or signs.WEATHER.search(text):
            return Reason.TRANSIENT
        return Reason.NOT_USEFUL if signs.FIRST_PERSON.search(text) else Reason.NOT_ABOUT_PERSON

    def _split(self, span: Span, hit: Hit) -> list[Found]:
        """One candidate a sentence, or one a clause where each fills a slot of its own."""
        whole: list[Found] = [candidate(hit, self.turn, span, text=span.text, at=self.at)]
        pieces = clauses(span)
        if hit.rule.subtype == Subtype.INSTRUCTION or not pieces[1:] or not hit.rule.attribute:
            return whole
        parts = self._parts(span, pieces)
        slots = {(part.rule.attribute, part.value) for _, _, part in parts}
        if len(slots) <= 1:
            return whole
        return [candidate(h, self.turn, p, text=t, at=self.at) for p, t, h in parts]

    def _parts(self, span: Span, pieces: list[Span]) -> list[tuple[Span, str, Hit]]:
        """The clauses that fill a slot; what fills none stays with the clause before it."""
        parts: list[tuple[Span, str, Hit]] = []
        start: int | None = None
        for piece in pieces:
            found = best(with_subject(piece.text, span.text), weak=not self.request)
            if found and found.rule.attribute:
                quote = self._cut(piece.start if start is None else start, piece.end)
                parts.append((quote, with_subject(quote.text, span.text), found))
                start = None
            elif parts:
                last = parts[-1]
                quote = self._cut(last[0].start, piece.end)
                parts[-1] = (quote, f"{last[1]}{quote.text[len(last[0].text) :]}", last[2])
            else:
                start = piece.start if start is None else start
        return parts

    def _cut(self, start: int, end: int) -> Span:
        return Span(start, end, self.turn.text[start:end])

    def _join_instruction(self, found: list[Found], span: Span) -> None:
        """ "From now on in Chinese. Numbers first.": the second sentence belongs to the first."""
        last = self.out[-1] if self.out else None
        if isinstance(last, Candidate) and last.subtype == Subtype.INSTRUCTION:
            only = found[0] if len(found) == 1 else None
            weak = isinstance(only, Refused) and only.reason in _JOINABLE
            if weak and len(span.text) <= LONGEST_ADDITION and _CONTINUES.search(span.text):
                self.out[-1] = self._extended(last, span)
                return
        self.out.extend(found)

    def _extended(self, last: Candidate, span: Span) -> Candidate:
        quote = self.turn.text[last.quote_start : span.end]
        return replace(
            last, text=f"{last.text}{quote[len(last.quote) :]}", quote=quote, quote_end=span.end
        )


_JOINABLE = frozenset((Reason.NOT_USEFUL, Reason.NOT_ABOUT_PERSON, Reason.PROCESS))


def _is_transient(text: str) -> bool:
    return bool(signs.TRANSIENT.search(text))


def _is_passing(text: str, hit: Hit) -> bool:
    """A memory point that holds for the moment only."""
    if hit.rule.subtype == Subtype.INSTRUCTION:
        return bool(signs.THIS_TIME.search(text))
    return hit.rule.weak and (_is_transient(text) or bool(signs.WEATHER.search(text)))
