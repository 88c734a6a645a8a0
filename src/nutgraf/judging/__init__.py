"""People as judges of summaries: studies are planned, laid out as blinded sheets, collected, and reported."""
