"""What people and programs talk to. Everything here turns outside words into calls and back."""
