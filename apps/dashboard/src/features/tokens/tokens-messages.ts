/** The spec's exact texts (spec: screens, messages). */
export const tokensMessages = {
  placeholder: 'Token will appear here',
  generate: 'Generate',
  generating: 'Generating...',
  failed: 'Error generating token.',
  limitsNotLoaded: 'The token could not be loaded.',
  limits: {
    saved: { text: 'Limits saved.' },
    notSaved: { text: 'The limits were not saved.' },
  },
} as const
