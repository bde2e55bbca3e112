"""From values to what people see. Nothing here reads, asks or writes."""
