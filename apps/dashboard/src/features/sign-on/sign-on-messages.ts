export const signOnMessages = {
  notLoaded: 'The sign-in provider could not be loaded.',
  update: {
    saved: { text: 'Sign-in provider saved.' },
    notSaved: { text: 'The sign-in provider was not saved.' },
  },
} as const
