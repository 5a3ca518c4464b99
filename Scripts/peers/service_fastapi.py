"""The service that people write today: FastAPI, uvicorn and ONNX Runtime, with the network of our `classify`.

    NETWORK=efficientnet-lite2.onnx uvicorn --app-dir Scripts/peers --workers 2 --port 8090 service_fastapi:app

POST /v1/classify takes an image as the body, and gives the five best of the thousand classes by their numbers. With
SCALED_DECODING=1 Pillow decodes JPEG files at the smallest scale of the file that is not below the network's input
(`draft`), as our decoder does; otherwise whole, as it does unless it is told.
"""

import io
import os

import anyio.to_thread
import numpy
import onnxruntime
from fastapi import FastAPI, HTTPException, Request
from PIL import Image

app = FastAPI()
options = onnxruntime.SessionOptions()
# A process for each core: threads inside of them would compete.
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(os.environ["NETWORK"], options, providers=["CPUExecutionProvider"])
network_input = session.get_inputs()[0]
side = network_input.shape[-1]
decodes_scaled = os.environ.get("SCALED_DECODING") == "1"
limiter = anyio.CapacityLimiter(1)


def classify(data):
    try:
        image = Image.open(io.BytesIO(data))
        if decodes_scaled:
            image.draft("RGB", (side, side))
        image = image.convert("RGB").resize((side, side), Image.BICUBIC)
    except OSError as problem:
        raise HTTPException(422, str(problem)) from problem
    planes = ((numpy.asarray(image, numpy.float32) - 127) / 128).transpose(2, 0, 1)
    scores = session.run(None, {network_input.name: numpy.ascontiguousarray(planes[None])})[0].reshape(-1)
    best = numpy.argsort(scores)[::-1][:5]
    return {"results": {"classify": [{"identifier": int(index), "confidence": float(scores[index])}
                                     for index in best]}}


@app.post("/v1/classify")
async def post_classify(request: Request):
    return await anyio.to_thread.run_sync(classify, await request.body(), limiter=limiter)
