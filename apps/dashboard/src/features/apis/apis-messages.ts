/** The spec's exact texts (spec: messages), and the second lines that say what really happened. */
export const apisMessages = {
  created: { text: 'API created successfully!' },
  updated: { text: 'API updated successfully!' },
  invalid: { text: 'Validation errors occurred!' },
  notSaved: { text: 'Failed to create user.', detail: 'The API was not saved:' },
  notLoaded: 'Unable to fetch API details.',
} as const
