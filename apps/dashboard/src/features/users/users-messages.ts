/** The spec's exact texts (spec: messages); the password screen's are ours. */
export const usersMessages = {
  create: {
    saved: { text: 'User created successfully!' },
    invalid: { text: 'Validation errors occurred!' },
    notSaved: { text: 'Failed to create user.' },
  },
  update: {
    saved: { text: 'User updated successfully!' },
    notSaved: { text: 'Failed to update user', isAlert: true },
  },
  password: {
    saved: { text: 'Password changed successfully!', detail: 'Your other sessions have ended.' },
    invalid: { text: 'Validation errors occurred!' },
    notSaved: { text: 'Failed to change the password.' },
  },
  endSession: {
    title: 'End this session?',
    confirm: 'End now',
    done: 'Signed out there.',
  },
  endSessions: {
    title: 'End all other sessions?',
    confirm: 'End now',
    done: 'Signed out everywhere else.',
  },
  secondFactor: {
    'set-up': {
      title: 'Set up the second factor',
      confirm: 'Turn on',
      done: 'The second factor is on. Your other sessions have ended.',
    },
    codes: {
      title: 'New recovery codes',
      confirm: 'Make new codes',
      done: 'The earlier recovery codes are void.',
    },
    'turn-off': {
      title: 'Turn the second factor off?',
      confirm: 'Turn off',
      done: 'The second factor is off.',
    },
  },
  resetSecondFactor: {
    title: 'Reset the second factor?',
    confirm: 'Reset',
    done: 'The second factor was reset.',
  },
  passkeys: {
    add: { title: 'Add a passkey', confirm: 'Continue', done: 'The passkey was added.' },
    rename: { title: 'Rename the passkey', confirm: 'Save', done: 'The passkey was renamed.' },
    remove: {
      title: 'Remove this passkey?',
      confirm: 'Remove',
      done: 'The passkey was removed. Your other sessions have ended.',
    },
  },
  resetPasskeys: {
    title: 'Remove all passkeys of this user?',
    confirm: 'Remove all',
    done: 'The passkeys were removed.',
  },
  invite: {
    title: 'Send an invitation?',
    confirm: 'Send',
    done: 'Invitation sent.',
  },
  inviteByLink: {
    title: 'Make a link?',
    confirm: 'Make the link',
    done: 'The link was made.',
  },
  takeInvitationBack: {
    title: 'Take the invitation back?',
    confirm: 'Take back',
    done: 'The invitation was taken back.',
  },
  notInvited: 'The mail server did not take the invitation. Send it again on the page of the user.',
  revokeToken: {
    title: 'Revoke this token?',
    confirm: 'Revoke token',
    done: 'Token revoked successfully!',
  },
  revokeAllTokens: {
    title: 'Revoke all tokens of this user?',
    confirm: 'Revoke all',
    done: 'Tokens revoked successfully!',
  },
  tokensNotLoaded: 'Unable to fetch your tokens.',
  passkeysNotLoaded: 'Unable to fetch your passkeys.',
  secondFactorNotLoaded: 'Unable to fetch your second factor.',
  sessionsNotLoaded: 'Unable to fetch your sessions.',
  notLoaded: 'Unable to fetch the user.',
  rolesNotLoaded: 'Unable to fetch the roles.',
} as const
