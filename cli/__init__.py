"""The person: commands, the plain table, the machine client, languages. It holds no rules.

Everything shown comes from values (`citadels_p2p.match`); every sentence lives in
`cli.text`.
"""
