"""``manage.py doctor``: is everything in order, and if not, what to do about it."""

import json
import sys
from dataclasses import asdict, dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config import checkup


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    check: str
    ok: bool
    detail: str
    advice: str = ""


class Command(BaseCommand):
    """Check each part by using it."""

    help = "Checks each part of the service by using it, from the database to the web server."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the form of the answer."""
        parser.add_argument("--json", action="store_true", help="Print one JSON document.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run every check; exit with 1 if one of them failed."""
        findings: list[Finding] = []
        for name in checkup.CHECKS:
            findings.append(_examine(name, findings))
        healthy = all(finding.ok for finding in findings)
        if options["json"]:
            report = {"ok": healthy, "checks": [asdict(finding) for finding in findings]}
            self.stdout.write(json.dumps(report, ensure_ascii=False))
        else:
            for finding in findings:
                self.stdout.write(_line(finding))
        if not healthy:
            sys.exit(1)


def _examine(name: str, before: list[Finding]) -> Finding:
    advice = checkup.ADVICE[name]
    failed = {finding.check for finding in before if not finding.ok}
    if needed := next((one for one in checkup.NEEDS.get(name, ()) if one in failed), None):
        return Finding(name, ok=False, detail=f"needs the {needed}", advice=f"First the {needed}.")
    try:
        return Finding(name, ok=True, detail=checkup.CHECKS[name]())
    except checkup.Unwell as error:
        return Finding(name, ok=False, detail=str(error), advice=advice)
    except Exception as error:  # noqa: BLE001 - a check that breaks is a finding, not the end
        return Finding(name, ok=False, detail=f"{type(error).__name__}: {error}", advice=advice)


def _line(finding: Finding) -> str:
    mark = "✓" if finding.ok else "✗"
    text = f"{mark} {finding.check:<11} {' '.join(finding.detail.split())}"
    return text if finding.ok else f"{text}\n    → {finding.advice}"
