/** The spec's exact texts (spec: messages): alerts on the edit screen. The create screen's are ours. */
export const rolesMessages = {
  create: {
    saved: { text: 'Role created successfully!' },
    invalid: { text: 'Validation errors occurred!' },
    notSaved: { text: 'Failed to create role.' },
  },
  update: {
    saved: { text: 'Role updated successfully!', isAlert: true },
    notSaved: { text: 'Failed to update role', isAlert: true },
  },
  notLoaded: 'Unable to fetch the role.',
} as const
