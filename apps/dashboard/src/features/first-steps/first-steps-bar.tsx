import { useLocation } from 'react-router'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session.tsx'
import { areStepsOver } from './first-steps-shown.ts'
import { NextStepBar } from './next-step-bar.tsx'

const shownOn = new Set<string>([paths.apis, paths.endpoints, paths.access, paths.personalToken])

/** Leads on from the lists on which the steps of a new product end. */
export function FirstStepsBar() {
  const { pathname } = useLocation()
  const can = useCan()
  const isShown = shownOn.has(pathname) && can('api.create') && !areStepsOver()
  return isShown && <NextStepBar />
}
