/** The account whose token the token screen's Generate asks for (spec: limits). It can't be deleted. */
export const gatewayClientId = 4
