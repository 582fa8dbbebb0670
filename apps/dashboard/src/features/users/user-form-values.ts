import type { RoleOption, UserRecord } from '@gatehouse/contract'
import type { NewUserInput, UserChangeInput } from './user-queries.ts'

/** The form's fields under their wire names (spec: entities), all as typed; roles by their id. */
export interface UserFormValues {
  [field: string]: string | string[] | boolean
  name: string
  email: string
  password: string
  password_confirmation: string
  /** For one's own account. */
  current_password: string
  username: string
  roles: string[]
  /** Of a new user, who chooses the password by a link that comes by e-mail. */
  sends_invitation: boolean
}

export const newUserValues: UserFormValues = {
  name: '',
  email: '',
  password: '',
  password_confirmation: '',
  current_password: '',
  username: '',
  roles: [],
  sends_invitation: false,
}

/** Blank passwords keep the present one. */
export function toUserValues(user: UserRecord): UserFormValues {
  return {
    ...newUserValues,
    name: user.name,
    email: user.email,
    username: user.username,
    roles: user.roles.map((role) => String(role.id)),
  }
}

export function toNewUserInput(values: UserFormValues): NewUserInput {
  const { current_password: _, sends_invitation, password, password_confirmation, ...rest } = values
  const chosen = sends_invitation ? { sends_invitation } : { password, password_confirmation }
  return { ...rest, ...chosen, roles: values.roles.map(Number) }
}

/** wire (spec: calls): an update carries no username. */
export function toUserChangeInput(values: UserFormValues, version: number): UserChangeInput {
  const { username: _, sends_invitation: __, current_password, ...rest } = values
  const own = current_password === '' ? {} : { current_password }
  return { ...rest, ...own, roles: values.roles.map(Number), version }
}

export const toRoleChoices = (roles: readonly RoleOption[]) =>
  roles.map(({ id, name }) => ({ value: String(id), label: name }))
