// Places of requests: while a body arrives nothing else is held for it, and only a complete request takes a place among those
// worked on (decision 0226). It leaves that place with its answer, or before.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { FairPlaces, type LeavePlace } from '../../traffic/fair-places.ts'
import { placeLimits } from '../../traffic/place-limits.ts'
import { readJson } from './request-body.ts'

/** Owner of a place; a person outside any workspace is a group of one. Null for people who are not signed in. */
interface Owner {
  readonly group: string
  readonly person: string
}

export function addPlaces(scope: FastifyInstance): void {
  const bodies = new FairPlaces(placeLimits.arrivingBodies)
  const work = new FairPlaces(placeLimits.consoleWork)
  scope.removeAllContentTypeParsers()
  // The type was checked with the origin. A body that the call does not declare is not read.
  scope.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (request.routeOptions.schema?.body === undefined) return undefined
    const owner = ownerOf(request)
    if (owner === null) return readJson(request.raw, limits.strangersBodyBytes)
    const leave = take(bodies, owner)
    return readJson(request.raw, limits.bodyBytes).finally(leave)
  })
  scope.addHook('preHandler', async request => {
    const owner = ownerOf(request)
    if (owner === null) request.visit?.place?.keep()
    // A file is received first, by its route.
    else if (request.routeOptions.config.rules?.takes !== 'file') request.leavePlace = take(work, owner)
  })
}

function ownerOf({ seat, visit }: FastifyRequest): Owner | null {
  if (seat !== null) return { group: seat.workspace.id, person: seat.person.id }
  const person = visit?.holder?.person.id
  return person === undefined ? null : { group: person, person }
}

function take(places: FairPlaces, { group, person }: Owner): LeavePlace {
  const place = places.take(group, person)
  if (typeof place !== 'string') return place
  const where = place === 'group' ? ' in this workspace' : ''
  throw new Refusal('unavailable', `too many requests at once${where}; try again`, 1)
}
