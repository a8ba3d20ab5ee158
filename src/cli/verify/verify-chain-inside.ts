// Inside the thread of verify-chain.ts: verifies, and gives the outcome back.
import { parentPort, workerData } from 'node:worker_threads'
import { repairDriver } from '../frame/driver-repair.ts'
import type { VerificationTask } from './chain-verification.ts'

repairDriver()
// Imported here, because the driver is patched while it is loaded.
const { verifyChains } = await import('./chain-verification.ts')
parentPort!.postMessage(await verifyChains(workerData as VerificationTask))
