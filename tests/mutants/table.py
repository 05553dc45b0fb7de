"""Each safeguard taken out of the code as a small change of one file, and the tests that must notice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """In ``file`` the text ``before``, which stands there once, becomes ``after``; ``tests`` must fail."""

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]


STORES = "tests/architecture/test_stores.py"
PEOPLE = "tests/properties/test_cross_person.py"
TRACES = "tests/memory/backup/test_traces.py"
OUTSIDE = "tests/memory/providers/test_outside.py"
GATE = "tests/memory/recall/test_gate.py"
WALLS = "tests/accounts/test_walls.py"
FENCE = "tests/memory/forget/test_fence.py"
TAKEN = "tests/memory/backup/test_taken_away.py"

MUTANTS = (
    Mutant(
        name="no tenant and no subject in the query",
        file="memory/models/memory.py",
        before="mine = self.filter(tenant_id=principal.tenant_id, subject_id=principal.person_id)\n"
        "        if principal.is_operator",
        after="mine = self.all()\n        if principal.is_operator",
        tests=(f"{PEOPLE}::test_a_word_is_found_by_its_owner_alone[filters alone]",),
    ),
    Mutant(
        name="no row policy",
        file="accounts/walls.py",
        before="USING ({mine}) WITH CHECK ({mine}); ",
        after="USING (true) WITH CHECK (true); ",
        tests=(f"{WALLS}::TestRowWall::test_each_sees_their_own_rows_alone",),
    ),
    Mutant(
        name="no level in the row policy",
        file="accounts/walls.py",
        before="(sensitivity <= {clearance} OR ",
        after="(sensitivity >= {clearance} OR true OR ",
        tests=(f"{WALLS}::TestClearanceWall::test_by_level",),
    ),
    Mutant(
        name="no level in the query",
        file="memory/models/memory.py",
        before="return mine.filter(level, own, kind__in=principal.kinds)",
        after="return mine.filter(own, kind__in=principal.kinds)",
        tests=(f"{FENCE}::test_the_person_erases_what_no_agent_of_theirs_may_see",),
    ),
    Mutant(
        name="no look at the grant",
        file="memory/access.py",
        before="if not principal.may(action):\n        why =",
        after="if False:\n        why =",
        tests=(f"{FENCE}::test_an_agent_without_the_right_to_forget_erases_nothing",),
    ),
    Mutant(
        name="no eraser of the wordings",
        file="memory/forget/erasers.py",
        before='    Eraser(store="versions", models=[Version], rows=_of_memories(Version)),\n',
        after="",
        tests=(
            f"{STORES}::test_every_personal_table_has_an_eraser_or_a_reason",
            f"{TRACES}::test_nothing_of_the_erased_is_in_any_file_after_a_rewrite",
        ),
    ),
    Mutant(
        name="no line in the audit log",
        file="memory/forget/fence.py",
        before="    audit.record(\n        principal,\n        AuditCode.ERASURE_FENCED,\n"
        '        object_kind="erasure",\n        object_id=request.id,\n'
        "        result_count=len(request.memory_ids),\n        reason=request.hold_reason,\n    )\n",
        after="",
        tests=(f"{FENCE}::test_everything_the_fence_must_write_is_there_in_one_go",),
    ),
    Mutant(
        name="secrets are not taken out",
        file="memory/write/redact.py",
        before="return without_secrets(clean(text))",
        after="return clean(text)",
        tests=("tests/memory/api/test_memories.py::test_a_secret_in_any_field_is_never_stored",),
    ),
    Mutant(
        name="what must not be learnt again is learnt",
        file="memory/write/pipeline.py",
        before="refusal = refusal or suppressed(vault, draft)",
        after="refusal = refusal or None",
        tests=(f"{FENCE}::test_the_same_message_sent_again_is_not_learnt_again",),
    ),
    Mutant(
        name="the fence hides nothing",
        file="memory/forget/fence.py",
        before="    for memory in memories:\n        _hide(memory)\n",
        after="",
        tests=(f"{FENCE}::test_no_road_leads_to_it_once_the_answer_is_out",),
    ),
    Mutant(
        name="the fence destroys no key",
        file="memory/forget/fence.py",
        before="        keys.delete()\n",
        after="        pass\n",
        tests=(f"{FENCE}::test_the_ciphertext_that_is_left_opens_no_more",),
    ),
    Mutant(
        name="what takes a right away leaves no line",
        file="accounts/rights.py",
        before="            note(one for one in found if _row(one) != before[one.pk])\n",
        after="            pass\n",
        tests=(f"{TAKEN}::test_every_right_that_was_taken_stays_away",),
    ),
    Mutant(
        name="a name that leads inside is posted to",
        file="memory/providers/outside.py",
        before="if not numbers or not all(one is not None and _allowed(one) for one in parsed):",
        after="if not numbers or not parsed:",
        tests=(f"{OUTSIDE}::test_a_name_that_leads_inside_is_refused_and_not_connected_to",),
    ),
    Mutant(
        name="an export asks for no password",
        file="dashboard/views/exporting.py",
        before='if not request.user.check_password(request.POST.get("password", "")):',
        after="if not request.user:",
        tests=("tests/dashboard/test_exporting.py::test_a_wrong_password_gets_nothing",),
    ),
    Mutant(
        name="no relevance gate",
        file="memory/recall/gate.py",
        before="if cosine is not None and cosine >= gate:",
        after="if cosine is not None:",
        tests=(f"{GATE}::test_meaning_passes_from_the_calibrated_threshold_on",),
    ),
)
