/** The account whose token the token screen's Generate asks for (spec §9). It can't be deleted. */
export const gatewayClientId = 4
