"""Learners: what the papers' programs taught themselves (Gelly & Silver §3.4–3.6, §4.6.2, §5.1, §6)."""
