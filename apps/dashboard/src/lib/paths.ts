/** Addresses that more than one part of the dashboard leads to (spec §2). */
export const paths = {
  login: '/api/login/react',
  home: '/dashboard',
  apis: '/dashboard/admin/apis',
  apiCreate: '/dashboard/admin/api/create',
  apiEdit: (id: number) => `/dashboard/admin/api/edit/${id}`,
  endpoints: '/dashboard/admin/endpoints',
  endpointCreate: '/dashboard/admin/endpoint/create',
  endpointEdit: (id: number) => `/dashboard/admin/endpoint/edit/${id}`,
} as const
