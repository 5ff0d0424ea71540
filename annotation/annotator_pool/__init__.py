"""Who may work in a campaign: its eligibility rules, held to what is known of a person."""
