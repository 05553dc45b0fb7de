"""Files as people send them: PDFs written by hand, and texts to cut."""

from collections.abc import Sequence


def pdf(*pages: str | Sequence[str], title: str = "", javascript: str = "") -> bytes:
    """A small whole PDF: one page for each text or list of lines, in any script."""
    texts = [[page] if isinstance(page, str) else list(page) for page in pages]
    letters = sorted({letter for lines in texts for line in lines for letter in line})
    code = {letter: number + 1 for number, letter in enumerate(letters)}
    rows = "\n".join(
        f"<{code[letter]:04X}> <{letter.encode('utf-16-be').hex().upper()}>" for letter in letters
    )
    unicode_map = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def "
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
        f"{len(letters)} beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    first = 7  # objects 1 to 6 are the same in every file
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(texts)))
    action = f"/OpenAction << /S /JavaScript /JS ({javascript}) >>" if javascript else ""
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {action} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>",
        (
            "<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H "
            "/DescendantFonts [4 0 R] /ToUnicode 5 0 R >>"
        ),
        (
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /DW 1000 "
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"
        ),
        _stream(unicode_map),
        f"<< /Title <FEFF{title.encode('utf-16-be').hex()}> >>",
    ]
    for number, lines in enumerate(texts):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {first + 2 * number + 1} 0 R >>"
        )
        objects.append(_stream(_shown(lines, code)))
    return _whole(objects)


def _shown(lines: Sequence[str], code: dict[str, int]) -> str:
    words = [
        f"1 0 0 1 50 {750 - 20 * n} Tm <{''.join(f'{code[letter]:04X}' for letter in line)}> Tj"
        for n, line in enumerate(lines)
    ]
    return "BT /F1 12 Tf " + " ".join(words) + " ET"


def _stream(text: str) -> str:
    return f"<< /Length {len(text)} >>\nstream\n{text}\nendstream"


def _whole(objects: Sequence[str]) -> bytes:
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    start, count = len(out), len(objects) + 1
    out += f"xref\n0 {count}\n0000000000 65535 f \n{table}".encode()
    out += f"trailer << /Size {count} /Root 1 0 R /Info 6 0 R >>\n".encode()
    return out + f"startxref\n{start}\n%%EOF\n".encode()


HANDBOOK = """# 员工手册 Handbook

Welcome to Acme.

## 报销 Expenses

差旅报销须在出差结束后三十天内提交，并附上发票原件。
Hotel costs are paid up to 120 euros a night.

## Leave

### Holidays

Everybody has 28 days of leave a year. Unused days lapse in March.

### 病假

病假超过三天需要医生证明。

| Plan | Days |
|---|---|
| junior | 28 |
| senior | 30 |
"""
