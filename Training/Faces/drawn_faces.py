#!/usr/bin/env python3
"""Draws faces with random features and colours, for train_verifier.py.

usage: drawn_faces.py OUT (photos and drawn.json in OUT, the list for face-candidates in OUT.txt). needs: numpy, pillow
"""
import json, pathlib, sys
import numpy as np
from PIL import Image
def draw(rng, n=256):
    W=H=n; size=rng.uniform(.2,.4)*n; cx,cy=rng.uniform(.4,.6,2)*n; roll=rng.uniform(-np.pi,np.pi)
    c,r=np.meshgrid(np.arange(W)+.5,np.arange(H)+.5)
    right,down=(c-cx)/size*.45,(r-cy)/size*.45
    x=.5+right*np.cos(roll)-down*np.sin(roll); y=.56+right*np.sin(roll)+down*np.cos(roll)
    img=np.ones((H,W,3))*rng.uniform(40,220,3)*(1+.15*np.sin(c/rng.uniform(8,30))*np.cos(r/rng.uniform(8,30)))[...,None]
    def E(a,b,ra,rb,soft=.02): return np.clip((1-((x-a)/ra)**2-((y-b)/rb)**2)/(2*soft/min(ra,rb)),0,1)[...,None]
    def put(s,col):
        nonlocal img
        img=img*(1-s)+np.asarray(col)*s
    j=lambda v,k=.12: v*rng.uniform(1-k,1+k)
    skin = np.array([224, 180, 152]) * rng.uniform(0.35, 1.1) * rng.uniform(0.93, 1.07, 3)
    hair = rng.uniform(15, 160) * rng.uniform(0.7, 1.2, 3)
    put(E(0.5, 0.45, j(0.30), j(0.36)), hair)
    put(E(0.5, 0.98, j(0.36), j(0.2)), rng.uniform(20, 220, 3))
    put(E(0.5, 0.8, j(0.11), j(0.15)), skin * 0.83)
    put(E(.5,.5,j(.235,.08),j(.30,.08)),0); img_s=skin*(1-1.4*np.abs(x-.5))[...,None]
    s=E(.5,.5,.235,.30); img=img*(1-s)+img_s*s
    ey,eo=j(.45,.04),j(.095,.1); ew,eh,br=j(.05),j(.022,.25),j(.395,.03)
    iris=rng.uniform(20,120,3)
    for sd in (-1,1):
        e=.5+sd*eo
        put(0.35 * E(e, ey - 0.005, 0.065, 0.045, 0.06), skin * 0.65)
        put(E(e, ey, ew, eh, 0.006), [240, 238, 235])
        put(E(e, ey, 0.021, 0.021, 0.005), iris)
        put(E(e, ey, 0.009, 0.009, 0.003), [10, 8, 8])
        put(E(e, br, j(0.062), j(0.012, 0.3), 0.006), hair * 0.8)
        put(0.8 * E(0.5 + sd * 0.026, j(0.597, 0.02), 0.012, 0.008, 0.006), skin * 0.45)
    put(.5*E(.5,.53,.03,.09,.04),skin*.92); put(.5*E(.5,.585,.05,.022),skin*.85)
    m = j(0.675, 0.03)
    mw = j(0.075, 0.2)
    put(E(0.5, m, mw, j(0.026, 0.3), 0.008), np.array([175, 85, 80]) * rng.uniform(0.6, 1.1))
    put(E(0.5, m, mw * 0.93, 0.006, 0.004), [95, 40, 40])
    img=np.clip(img,0,255)
    if rng.random()<.25: img=np.repeat((img@[.299,.587,.114])[...,None],3,2)
    return img.astype(np.uint8),(cx,cy,size,roll)
if __name__=='__main__':
    out=pathlib.Path(sys.argv[1]); out.mkdir(exist_ok=True); rng=np.random.default_rng(5); rows=[]; lines=[]
    for i in range(400):
        im, l = draw(rng)
        Image.fromarray(im).save(out / f'{i:03}.png')
        rows.append({'image': f'{i:03}.png', 'face': l})
        lines.append(f'{out}/{i:03}.png\t0\t{[1,1,2,.6][i%4]}')
    json.dump(rows,open(out/'drawn.json','w')); open(str(out)+'.txt','w').write('\n'.join(lines)+'\n')
