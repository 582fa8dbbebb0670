import { useLocation } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { areStepsOver } from './first-steps-shown.ts'
import { NextStepBar } from './next-step-bar.tsx'

/** With the pages below them: a step ends on the page of what it saved. */
const shownOn = [
  paths.apis,
  '/dashboard/admin/api/edit',
  paths.endpoints,
  '/dashboard/admin/endpoint/edit',
  paths.access,
  paths.personalToken,
]

/** Leads on from the screens on which the steps of a new product end. */
export function FirstStepsBar() {
  const { pathname } = useLocation()
  const can = useCan()
  const isPlace = shownOn.some((path) => `${pathname}/`.startsWith(`${path}/`))
  const isShown = isPlace && can('api.create') && !areStepsOver()
  return isShown && <NextStepBar />
}
