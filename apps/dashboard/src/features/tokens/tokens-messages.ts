/** The spec's exact texts (§2, §8). */
export const tokensMessages = {
  placeholder: 'Token will appear here',
  generate: 'Generate',
  generating: 'Generating...',
  failed: 'Error generating token.',
} as const
