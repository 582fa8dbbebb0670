/** Methods of endpoints. The first three are the specification's and come first in lists. */
export const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const

/** A method as HTTP writes it. */
export const wireMethods = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  head: 'HEAD',
} as const satisfies Record<(typeof methods)[number], string>

export type WireMethod = (typeof wireMethods)[keyof typeof wireMethods]

export const wireMethodNames = Object.values(wireMethods)
