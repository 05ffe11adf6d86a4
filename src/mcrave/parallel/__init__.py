"""Many searches beside each other on other processors than this one's: `gpu` plays thousands of games at once."""
