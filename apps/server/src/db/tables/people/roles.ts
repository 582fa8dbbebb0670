import { generatedFlag, generatedNumber, number, text, textOrNull } from '../column.ts'

export const role = {
  id: generatedNumber,
  name: text,
  name_key: text,
  version: generatedNumber,
  /** Counts the changes of which endpoints it may call. */
  access_version: generatedNumber,
  /** Everybody with the role signs in with a second factor. */
  needs_second_factor: generatedFlag,
  /** JSON: from which addresses it counts at the gateway; null: from everywhere. */
  allowed_addresses: textOrNull,
}

export const permission = {
  id: generatedNumber,
  name: text,
}

export const rolePermission = {
  role_id: number,
  permission_id: number,
}

export const userRole = {
  user_id: number,
  role_id: number,
}

export const roleEndpoint = {
  role_id: number,
  endpoint_id: number,
}
