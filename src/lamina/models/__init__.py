"""What surrounds a model call: replies by schema, budget, ledger, cache, roles."""

from lamina.models.accounted import for_work
from lamina.models.budget import Budgeted, Purse, Spending, within_budget
from lamina.models.cache import Cached, request_digest
from lamina.models.failures import error_of
from lamina.models.ledger import Ledger, Recorded
from lamina.models.replies import Parsed, Question, ask
from lamina.models.roles import Roles, name_of
from lamina.models.tokens import rough_input_tokens, rough_tokens

__all__ = [
    "Budgeted",
    "Cached",
    "Ledger",
    "Parsed",
    "Purse",
    "Question",
    "Recorded",
    "Roles",
    "Spending",
    "ask",
    "error_of",
    "for_work",
    "name_of",
    "request_digest",
    "rough_input_tokens",
    "rough_tokens",
    "within_budget",
]
