/** Ids of the results in the list, so that the field can name the chosen one. */
export const optionId = (index: number) => `search-result-${index}`
