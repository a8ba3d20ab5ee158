// Inside the thread of verify-chain.ts: verifies, and gives the outcome back.
import { parentPort, workerData } from 'node:worker_threads'
import { type VerificationTask, verifyChains } from './chain-verification.ts'

parentPort!.postMessage(await verifyChains(workerData as VerificationTask))
