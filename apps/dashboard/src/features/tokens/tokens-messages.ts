/** The spec's exact texts (spec: screens, messages). */
export const tokensMessages = {
  placeholder: 'Token will appear here',
  generate: 'Generate',
  generating: 'Generating...',
  failed: 'Error generating token.',
} as const
