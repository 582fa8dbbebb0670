export const issuersMessages = {
  notLoaded: 'The issuer could not be loaded.',
  create: {
    saved: { text: 'Token issuer added.' },
    notSaved: { text: 'The token issuer was not added.' },
  },
  update: {
    saved: { text: 'Token issuer saved.' },
    notSaved: { text: 'The token issuer was not saved.' },
  },
} as const
