export const signOnMessages = {
  notLoaded: 'The sign-in provider could not be loaded.',
  unreachable: 'Nobody can sign in with the provider: what it says of itself could not be fetched.',
  update: {
    saved: { text: 'Sign-in provider saved.' },
    notSaved: { text: 'The sign-in provider was not saved.' },
  },
} as const
