/** The spec's exact texts (spec: messages), and the second lines that say what really happened. */
export const endpointsMessages = {
  created: { text: 'API updated successfully!', detail: 'The endpoint was created.' },
  updated: { text: 'API updated successfully!', detail: 'The endpoint was updated.' },
  notSaved: { text: 'Failed to update API.', detail: 'The endpoint was not saved:' },
  notLoaded: 'Unable to fetch API details.',
} as const
