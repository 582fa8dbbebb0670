/** Ours, where the specification has texts of APIs (decision 0019); the last is the specification's (spec: messages). */
export const endpointsMessages = {
  created: { text: 'Endpoint created.' },
  updated: { text: 'Endpoint saved.' },
  notSaved: { text: 'The endpoint was not saved.' },
  notLoaded: 'Unable to fetch API details.',
} as const
