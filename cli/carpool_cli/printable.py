# SPDX-License-Identifier: MIT
"""Texts as they are printed: on a terminal they steer nothing, and none is longer than one wants to
read. Needs no third-party package."""

MOST_CHARACTERS = 400


def shown(text):
    """Escapes what no printer shows, such as ESC, and leaves out the middle of a long text."""
    if len(text) > MOST_CHARACTERS:
        half = MOST_CHARACTERS // 2
        text = f"{text[:half]} … {text[-half:]}"
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one == "\n" else escaped(one) for one in text)


def escaped(character):
    return character.encode("unicode_escape").decode()


def everywhere(found):
    """The same in all texts of what JSON has, except in names of members."""
    if isinstance(found, str):
        return shown(found)
    if isinstance(found, list):
        return [everywhere(one) for one in found]
    if isinstance(found, dict):
        return {name: everywhere(one) for name, one in found.items()}
    return found


def complaint(text):
    """The one line in which the command says why not."""
    return f"carpool: {shown(' '.join(text.split()))}"
