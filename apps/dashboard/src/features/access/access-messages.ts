/** The spec's exact texts (spec: messages). */
export const accessMessages = {
  saved: { text: 'Access updated successfully!' },
  notSaved: { text: 'Failed to update access.' },
  notLoaded: 'Failed to fetch endpoints.',
} as const
