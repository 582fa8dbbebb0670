import { z } from 'zod'
import { acrossFields } from '../kernel/across-fields.ts'
import { flag, requiredText, text, version } from '../kernel/fields.ts'
import { idParams, listQuery, pageOf } from '../kernel/paging.ts'
import { defineRoute } from '../kernel/route.ts'
import { passwordMaxLength, passwordMinLength } from './password-length.ts'

export * from './password-length.ts'

export const roleOption = z.object({ id: z.number().int(), name: z.string() })
export type RoleOption = z.output<typeof roleOption>

const userRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  username: z.string(),
  roles: z.array(roleOption),
  /** Names of the roles, as lists show them. */
  role: z.string(),
  /** False for accounts without a password, like the gateway client. */
  can_sign_in: z.boolean(),
  /**
   * Until when the user may choose a password by the link of an invitation, which may be over; null: there is
   * none. A server of an earlier release does not say.
   */
  invited_until: z.string().nullish(),
  version: z.number().int(),
})
export type UserRecord = z.output<typeof userRecord>

const email = requiredText(254, 'email').refine(
  (value) => value === '' || /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+$/.test(value),
  { error: 'The email must be an e-mail address.' },
)

const optionalUsername = text(64, 'username').refine(
  (value) => value === '' || /^[\p{L}\p{N}._-]+$/u.test(value),
  { error: 'The username may hold letters, digits, dots, dashes and underscores.' },
)

/** Taken as typed: white space counts. Blank where a form leaves the password as it is. */
export const typedPassword = z
  .union([z.string(), z.null()], { error: 'The password must be text.' })
  .optional()
  .transform((value) => value ?? '')

/** One’s own password, as a change of one’s own sign-in asks for it. */
export const currentPassword = z
  .string({ error: 'The current password field is required.' })
  .min(1, { error: 'The current password field is required.' })
  .max(1024, { error: 'The current password is too long.' })

/** What is wrong with a new password, or undefined. Length counts in characters. */
function passwordProblem(password: string): string | undefined {
  const length = [...password].length
  if (length < passwordMinLength)
    return `The password must have at least ${passwordMinLength} characters.`
  if (length > passwordMaxLength)
    return `The password may not have more than ${passwordMaxLength} characters.`
  return undefined
}

// wire: the form sends ids; names are taken as well.
const roleChoices = z
  .union([z.array(z.union([z.number().int(), z.string().max(100)])).max(100), z.null()], {
    error: 'The roles must be a list.',
  })
  .optional()
  .transform((value) => [...new Set((value ?? []).map(String))])
  .refine((value) => value.length > 0, { error: 'The roles field is required.' })

interface Passwords {
  sends_invitation?: boolean
  password?: string
  password_confirmation?: string
}

interface NewNames {
  sends_invitation?: boolean
  name?: string
  username?: string
}

/** A new password, typed twice. */
export function checkPasswords(isRequired: boolean | 'unless invited') {
  return acrossFields<Passwords>((given, context) => {
    const { sends_invitation, password = '', password_confirmation = '' } = given
    // The user chooses it.
    if (isRequired === 'unless invited' && sends_invitation) return
    const fail = (message: string) =>
      context.addIssue({ code: 'custom', path: ['password'], message })
    if (password === '') {
      if (isRequired !== false) fail('The password field is required.')
      else if (password_confirmation !== '') fail('The password confirmation does not match.')
      return
    }
    const problem = passwordProblem(password)
    if (problem) fail(problem)
    if (password !== password_confirmation) fail('The password confirmation does not match.')
  })
}

const userFields = {
  name: requiredText(100, 'name'),
  email,
  password: typedPassword,
  password_confirmation: typedPassword,
  roles: roleChoices,
}

const newUser = z
  .object({
    ...userFields,
    /** Blank for one who is invited: made of the e-mail address. */
    name: text(100, 'name'),
    username: optionalUsername,
    /** The user chooses the password by a link: the one that is sent does not count. */
    sends_invitation: flag,
  })
  .superRefine(
    ...acrossFields<NewNames>(({ sends_invitation, name, username }, context) => {
      if (sends_invitation) return
      for (const [field, value] of Object.entries({ name, username }))
        if (value === '')
          context.addIssue({
            code: 'custom',
            path: [field],
            message: `The ${field} field is required.`,
          })
    }),
  )
  .superRefine(...checkPasswords('unless invited'))
export type NewUser = z.output<typeof newUser>
export type NewUserInput = z.input<typeof newUser>

/** The edit form has no username (spec: screens); a blank password stays as it is. */
const userChange = z
  .object({
    ...userFields,
    username: text(64, 'username'),
    /** Needed to change one's own password or e-mail address. */
    current_password: typedPassword,
    version,
  })
  .superRefine(...checkPasswords(false))
export type UserChange = z.output<typeof userChange>
export type UserChangeInput = z.input<typeof userChange>

const mailing = {
  /** Whether the link of an invitation goes out by e-mail. A server of an earlier release does not say. */
  sends_invitations: z.boolean().optional(),
}

/**
 * By which the user chooses a password, where no e-mail took it there. It is in this answer alone. Without a host where
 * `PUBLIC_URL` is not set.
 */
const invitationLink = z.string()

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/user',
  access: 'user.view',
  tag: 'Users',
  summary: 'List users',
  query: listQuery(['id', 'name', 'email', 'username']),
  response: pageOf(userRecord),
})

export const userForm = defineRoute({
  method: 'GET',
  path: '/api/user/create',
  access: 'user.create',
  tag: 'Users',
  summary: 'What the create form needs: the roles that the caller may give',
  response: z.object({ roles: z.array(roleOption), ...mailing }),
})

export const createUser = defineRoute({
  method: 'POST',
  path: '/api/user',
  access: 'user.create',
  tag: 'Users',
  summary: 'Create a user, with a password or an invitation to choose one',
  status: 201,
  body: newUser,
  response: userRecord.extend({
    /** Why the mail server did not take an invitation, which can be sent again; null: it did. */
    mail_problem: z.string().nullish(),
    invitation_link: invitationLink.nullish(),
  }),
})

export const editUser = defineRoute({
  method: 'GET',
  path: '/api/user/:id/edit',
  access: 'user.view',
  tag: 'Users',
  summary: 'One user, for the form, and the roles',
  params: idParams,
  response: z.object({
    user: userRecord,
    roles: z.array(roleOption),
    /**
     * Since when the user’s sign-in asks for a second factor; null: it does not. A server of an earlier
     * release does not say.
     */
    second_factor_since: z.string().nullish(),
    /** How many passkeys the user has. A server of an earlier release does not say. */
    passkeys_count: z.number().int().optional(),
    /** How many tokens for programs the user has. */
    admin_tokens_count: z.number().int().optional(),
    ...mailing,
  }),
})

export const inviteUser = defineRoute({
  method: 'POST',
  path: '/api/user/:id/invitation',
  access: 'user.edit',
  tag: 'Users',
  summary: 'Make a user without a password a link by which they choose one; ends an earlier link',
  params: idParams,
  response: z.object({
    /** Null: it went out by e-mail. */
    link: invitationLink.nullable(),
  }),
})

export const takeInvitationBack = defineRoute({
  method: 'DELETE',
  path: '/api/user/:id/invitation',
  access: 'user.edit',
  tag: 'Users',
  summary: 'End the link of an invitation; the user stays, without a password',
  status: 204,
  params: idParams,
})

export const updateUser = defineRoute({
  method: 'PUT',
  path: '/api/user/:id',
  access: 'user.edit',
  tag: 'Users',
  summary: 'Change a user; a new password or role ends their sessions',
  params: idParams,
  body: userChange,
  response: userRecord,
})

export const deleteUser = defineRoute({
  method: 'DELETE',
  path: '/api/user/:id',
  access: 'user.delete',
  tag: 'Users',
  summary: 'Delete a user with their sessions and tokens',
  status: 204,
  params: idParams,
})

export const changePassword = defineRoute({
  method: 'PUT',
  path: '/api/password',
  access: 'session',
  tag: 'Session',
  summary: 'Change one’s own password; ends all other sessions',
  status: 204,
  body: z
    .object({
      current_password: currentPassword,
      password: typedPassword,
      password_confirmation: typedPassword,
    })
    .superRefine(...checkPasswords(true)),
})
