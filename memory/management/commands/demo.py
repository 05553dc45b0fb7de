"""Play a short story through the running service and print what was remembered, and why."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from accounts.setup import get_or_create_agent, get_or_create_tenant, login_for, new_agent_key
from accounts.setup import operator as setup_principal
from accounts.subjects import get_or_create_subject
from memory.management.conversations import Counts, play
from memory.management.player import Heard, Player
from memory.management.story import ERASE_QUESTION, QUESTIONS

TENANT, AGENT, USER_ID, EMAIL = "Demo", "Demo assistant", "lin", "lin@example.com"
MARKS = {
    "accepted": "kept",
    "reinforced": "kept (again)",
    "superseded": "kept (replaces)",
    "needs_confirmation": "waits for Lin",
    "refused": "refused",
}


class Command(BaseCommand):
    """Makes the demo person and plays their story over HTTP."""

    help = "Play a short story of one bilingual person through the service that runs here."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--seed",
            action="store_true",
            help="keep the person under their own name and print the login and key as JSON",
        )

        parser.add_argument(
            "--data",
            type=Path,
            metavar="FILE",
            help="play the conversations of this JSONL file instead of the story, and count",
        )

    def handle(self, **options: Any) -> None:
        """Play; without --seed under a new name each time, ending with an erasure."""
        seed: bool = options["seed"]
        user_id = USER_ID if seed else f"{USER_ID} {timezone.now():%Y-%m-%d %H:%M:%S}"
        tenant = get_or_create_tenant(TENANT)
        key = new_agent_key(get_or_create_agent(tenant, AGENT), label="demo", environment="demo")
        player = Player(url=settings.PUBLIC_URL, key=key, user_id=user_id)
        try:
            if options["data"]:
                self._play_file(player, options["data"])
                return
            if not (seed and player.knows_something()):
                self._play(player)
            if not seed:
                self._erase(player)
        except OSError as error:
            raise CommandError(f"{settings.PUBLIC_URL} does not answer: {error}") from error
        if seed:
            subject, _ = get_or_create_subject(setup_principal(tenant.id), user_id)
            _, password = login_for(subject, email=EMAIL)
            login = {"email": EMAIL, "password": password, "user_id": user_id, "agent_key": key}
            self.stdout.write(json.dumps(login))

    def _play(self, player: Player) -> None:
        counts: dict[str, int] = {}
        scene = ""
        for heard in player.play(now=timezone.now()):
            if heard.scene.name != scene:
                scene = heard.scene.name
                self.stdout.write(f"\n{scene}, {heard.scene.days_ago} days ago")
            self.stdout.write(f"  {heard.role:<9} {heard.text}")
            for line in _lines(heard):
                self.stdout.write(f"            → {line}")
            for one in heard.decisions:
                counts[one["outcome"]] = counts.get(one["outcome"], 0) + 1
        self.stdout.write("\nworked out by the assistant")
        for text, answer in player.guess():
            self.stdout.write(f"  {text}")
            self.stdout.write(
                f"            → {MARKS[answer['outcome']]}: {', '.join(answer['reasons'])}"
            )
            counts[answer["outcome"]] = counts.get(answer["outcome"], 0) + 1
        self.stdout.write("\n" + ", ".join(f"{MARKS[name]} {n}" for name, n in counts.items()))
        for question in QUESTIONS:
            self._ask(player, question)

    def _play_file(self, player: Player, path: Path) -> None:
        counts = Counts()
        person = player.user_id
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(tqdm(lines, desc=path.stem)):
            player.user_id = f"{person} {number}"
            play(player, json.loads(line), counts)
        self.stdout.write(f"turns {counts.turns}")
        self.stdout.write(f"decisions {dict(counts.outcomes)}")
        self.stdout.write(f"refused because {dict(counts.reasons.most_common())}")
        self.stdout.write(f"questions {counts.questions}: {dict(counts.statuses)}")
        self.stdout.write(f"evidence found for {counts.evidence_found}")

    def _ask(self, player: Player, question: str) -> dict[str, Any]:
        answer = player.recall(question)
        self.stdout.write(f"\n? {question}\n  {answer['status']}")
        for item in answer["memories"]:
            self.stdout.write(
                f"    {item['score']:.2f}  {item['text']}  ({', '.join(item['why'])})"
            )
        for item in answer["profile"]:
            self.stdout.write(f"    profile  {item['text']}")
        return answer

    def _erase(self, player: Player) -> None:
        answer = player.recall(ERASE_QUESTION)
        if not answer["memories"]:
            raise CommandError("The instruction about reports was not found; nothing to erase.")
        target = answer["memories"][0]
        receipt = player.call("DELETE", f"memories/{target['id']}")
        self.stdout.write(f"\nErased: {target['text']}  (receipt {receipt['id']})")
        self._ask(player, ERASE_QUESTION)


def _lines(heard: Heard) -> list[str]:
    return [
        f"{MARKS[one['outcome']]}: {', '.join(one['reasons'])}"
        + (f" ({one['subtype']})" if one["subtype"] else "")
        for one in heard.decisions
    ]
