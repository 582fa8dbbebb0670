/** The spec's texts (spec: messages), and the sentences that are ours. */
export const buildRequestMessages = {
  choicesNotLoaded: 'Failed to fetch endpoints.',
  unknownTitle: 'What became of it is not known',
  unknownAdvice:
    'The endpoint may have received it. Check before sending again; nothing is repeated automatically.',
  leftWhileSending: 'The page was left while this was being sent. Check before sending again.',
} as const
