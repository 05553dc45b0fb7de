"""Measure the configured embedder and keep its thresholds: ``manage.py calibrate``."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from memory.errors import EmbedderUnavailable, InvalidInput
from memory.evaluation.calibration import calibrate
from memory.providers.embedding import get_embedder


class Command(BaseCommand):
    """Calibrates the embedder of the settings; running it again measures anew."""

    help = "Measures the embedder of EMBEDDER on hand-made sets and keeps where its thresholds lie."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the output."""
        parser.add_argument("--json", action="store_true", help="print JSON alone")

    def handle(self, **options: Any) -> None:
        """Measure, keep, and print the numbers."""
        try:
            embedder = get_embedder()
            found = calibrate(embedder)
        except (EmbedderUnavailable, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        except InvalidInput as error:
            raise CommandError(error.detail) from None
        if options["json"]:
            self.stdout.write(json.dumps({"embedder": embedder.name} | asdict(found)))
            return
        for name, value in asdict(found).items():
            self.stdout.write(f"{name:<10} {value:.3f}")
        kept = "the policy's own: nothing to keep" if embedder.calibrated else "kept"
        self.stdout.write(f"{embedder.name}: {kept}")
