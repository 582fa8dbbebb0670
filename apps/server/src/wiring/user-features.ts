import type { AppCore, AppOptions } from '../app-core.ts'
import type { RefusalTrail } from '../features/audit/refusal-trail.ts'
import { drawQr } from '../features/images/draw-qr.ts'
import { createPasskeys } from '../features/passkeys/create-passkeys.ts'
import { createPasswordLinks } from '../features/password-links/create-password-links.ts'
import { createSecondFactor } from '../features/second-factor/create-second-factor.ts'
import { SecondFactorGate } from '../features/second-factor/second-factor-gate.ts'
import { createSessions } from '../features/session/create-sessions.ts'
import { createSignOn } from '../features/sign-on/create-sign-on.ts'
import { createAdminTokens } from '../features/tokens/create-admin-tokens.ts'
import { createUsers } from '../features/users/create-users.ts'
import { holdOther } from '../features/users/user-checks.ts'

const qrSide = 240

/** Wires users, and every way in which they sign in. */
export function createUserFeatures(core: AppCore, options: AppOptions, refusals: RefusalTrail) {
  const { common, mailer, notices } = core
  const { inTransaction, clock } = common
  const { secrets, settings } = options
  const recordRefusal: RefusalTrail['record'] = (by, entry) => refusals.record(by, entry)
  const drawCode = (text: string) => drawQr(text, qrSide, qrSide)
  const secondStep = new SecondFactorGate({ clock, secrets, drawQr: drawCode })
  const sessions = createSessions({ ...common, check: core.check, recordRefusal, secondStep })
  const passwordLinks = createPasswordLinks({
    ...common,
    mailer,
    publicUrl: settings.publicUrl,
    pauseMs: options.resetPauseMs,
    refuseUnreachable: (...given) => users.service.refuseUnreachable(...given),
  })
  const users = createUsers({
    inTransaction,
    clock,
    confirmOwn: (current, actor) => sessions.service.confirmOwn(current, actor),
    invitations: passwordLinks.invitations,
  })
  const secondFactor = createSecondFactor({
    inTransaction,
    clock,
    gate: secondStep,
    confirmOwn: (...given) => sessions.service.confirmOwn(...given),
    slowedDown: (actor, work) => sessions.service.slowedDown(actor, work),
    holdOther,
  })
  const passkeys = createPasskeys({
    ...common,
    secrets,
    publicUrl: settings.publicUrl,
    sessionMaxMs: settings.sessionMaxMs,
    recordRefusal,
    open: sessions.open,
    slowedDown: sessions.slowedDown,
    prove: (proof, actor, work) => secondFactor.service.prove(proof, actor, work),
    holdOther,
  })
  const signOn = createSignOn({
    ...common,
    secrets,
    upstream: options.upstream,
    sessionMaxMs: settings.sessionMaxMs,
    recordRefusal,
    open: sessions.open,
    slowedDown: sessions.slowedDown,
    resetsPasswords: mailer !== undefined,
    offerPasskeys: passkeys.offer,
  })
  const adminTokens = createAdminTokens({
    inTransaction,
    clock,
    prove: (proof, actor, work) => secondFactor.service.prove(proof, actor, work),
    refuseUnreachable: (...given) => users.service.refuseUnreachable(...given),
  })
  return {
    sessions,
    users,
    features: [
      sessions,
      secondFactor,
      passkeys,
      passwordLinks,
      notices,
      signOn,
      users,
      adminTokens,
    ],
  }
}
