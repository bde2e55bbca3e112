"""Readers of files that hold conversations. They read and check; they write nothing."""

from lamina.formats.conversation import Conversation, Turn
from lamina.formats.detect import READERS, Format, detect, read

__all__ = ["READERS", "Conversation", "Format", "Turn", "detect", "read"]
