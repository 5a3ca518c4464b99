/// Photos by the first half of their SHA-256 and their file name, with the angle of the horizon in degrees: above 0
/// where its right end is the lower one.
///
/// The angles were read off at straight edges and shores, to about half a degree; where none was visible, 0 was
/// taken. Those without an angle are close-ups: of animals, food and objects, without a clear horizon. The photos are
/// of PASCAL VOC, ImageNet, OTB, VOT and the data set homogr, some of them reduced.
enum HorizonLabels {
    struct Label {
        var photo: KnownPhoto
        /// Nil for a close-up.
        var degrees: Double?
    }

    static let all: [Label] = table.split(separator: "\n").map { line in
        let cells = line.split(separator: " ")
        return Label(
            photo: KnownPhoto(name: String(cells[2]), digest: String(cells[1])), degrees: Double(cells[0]))
    }

    private static let table = """
        0 306b78e7fecacdb2 n01582220_magpie.jpg
        1 b594bf8b3030a017 n02790996_barbell.jpg
        0.3 8de28211fadf1b96 n02823428_bottle.jpg
        -1 752292b547da4af3 n02917067_train.jpg
        0.3 f783e357c9aaa4d1 n03179701_desk.jpg
        -0.5 a01e9225e8881e98 n03661043_library.jpg
        -1.2 fb9151761150c6bf n03673027_liner.jpg
        0 5fc13a67d96e9866 n03697007_lumbermill.jpg
        0.5 0144416c59a6a649 n03721384_marimba.jpg
        0 270dc48f4cb990d3 n03770679_minivan.jpg
        0 205c3cae3d81b525 n03788195_mosque.jpg
        -3.5 9bbdc62485c738e3 n03903868_pedestal.jpg
        0 7b829c3f4e1c3dd2 n03933933_pier.jpg
        0 978ed8a01dae4c6d n03947888_pirate.jpg
        0.5 d58c1db5c3d83765 n04070727_refrigerator.jpg
        0.5 44314d488968ea24 n04081281_restaurant.jpg
        1 fb811ca6a5707b9e n04252077_snowmobile.jpg
        0 6562643d8d202c5f n04310018_locomotive.jpg
        -0.5 7eaecf5c070cb3fa n04482393_tricycle.jpg
        0 cad25287115b98f9 n04517823_vacuum.jpg
        0 e2130512440cac8a n04523525_vault.jpg
        0 f96761661ce98dc5 n04550184_wardrobe.jpg
        0.4 376fcb092cce13e3 n04612504_yawl.jpg
        0.3 50b8264191afdb41 n11879895_rapeseed.jpg
        -0.5 ec9d6b448218db99 n02398521_hippopotamus.jpg
        -0.7 cb39355bb80806bb n01494475_hammerhead.jpg
        -2 38d50da38c458ef4 00179.jpg
        -1.3 f3c0bccacdf1ecd2 00329.jpg
        0 9d34c2d7321b3ef9 00466.jpg
        -0.4 dd04180b1a65ac26 00529.jpg
        0.5 950dc002d06412bc 00774.jpg
        0 4f4a2b53cfa59707 00866.jpg
        -0.7 f3eafda4ac9b0057 00879.jpg
        0.8 a9f0ef4b8bc75663 00881.jpg
        -0.8 1db5612e543a59d6 00908.jpg
        0 dac2542c88b1cfa7 01322.jpg
        1 ce7b7f9aa1857ed8 01597.jpg
        0 4ab0d17673a66521 01631.jpg
        0.5 67c01d7f9accc2c0 01641.jpg
        0 02f56b2416ab4453 01964.jpg
        -0.8 4e0247f813c1713b 02027.jpg
        -1 e096b215e6c064b1 02146.jpg
        0 7871cfcc71cd3a30 02154.jpg
        0 da478f984b1dec97 02215.jpg
        0.4 183dd11a3f948b5c 02511.jpg
        0.3 3a20a2049d12a1a4 02572.jpg
        0.7 8c9cebc7888b1c92 02673.jpg
        -0.5 06e77611c7ad2e56 02737.jpg
        0 22520e1922a3d72f 05555.jpg
        0 017ad5530c48d5fe 05571.jpg
        0 c278bfdb0d30f3d8 05581.jpg
        0 d315c5ed2820378b 05609.jpg
        0 7db2446d883336e6 05615.jpg
        0.5 9fb754c8d678b0a1 05618.jpg
        0 8003af7c5adb2a21 05684.jpg
        -1.5 3424202a8ebdffc2 05693.jpg
        0 3b681186cea3ba8f 05710.jpg
        1.1 d3ef02bc581decde 05748.jpg
        0 43049afcc26814f8 05830.jpg
        0.8 cdd4d2b85908efbd 05964.jpg
        0 174c468fd8fe77df 05967.jpg
        0 4815b832464e2266 06016.jpg
        0 be5445ea26673dd1 06029.jpg
        0.8 5a9d505ec0770dbe 06153.jpg
        -2.1 4922571e1e9cf96b 06230.jpg
        0 449ab9919bfb12dc 06321.jpg
        0.2 4d0710cd6a206d6a 06383.jpg
        0.3 8e161da7dd81eb2e 06515.jpg
        -0.5 7b8f1fc0d10d20b7 06380.jpg
        1.8 7757545c45fa3f9b 06398.jpg
        -0.7 888163efd6a514d4 06703.jpg
        -0.7 ea8a5180c62dccd4 06740.jpg
        0.9 20e9fe2ce433c078 06742.jpg
        0 976dda18c9917f60 05438.jpg
        0 00fd11c5ba271e42 05444.jpg
        -0.6 67c4201f865bb45a 05451.jpg
        0.7 94b28b808aca5377 05459.jpg
        0.4 6cd4ed559348b8b3 BostonA.jpg
        0.5 be5b0a08f03ad634 BruggeSquareB.jpg
        0.3 af8f2d3b9be66b0b BrusselsB.jpg
        0.3 aa8d98999a4d6232 EiffelB.png
        2.5 7b3f7259653b6015 000150.jpg
        -1 aab5a11f010ccec1 000001.jpg
        - c3c7322bfe5aaf98 n01440764_tench.jpg
        - 6b70c1a42e4800cb n01498041_stingray.jpg
        - ded15411f418c350 n01560419_bulbul.jpg
        - 363c7ce06acb3b25 n01682714_chameleon.jpg
        - 4cd3e7405a3c4002 n01689811_lizard.jpg
        - fc98d48e06112601 n01734418_snake.jpg
        - f6d010e224215729 n01740131_snake.jpg
        - 436b50110146808c n01744401_python.jpg
        - 46337f38207b3b31 n01756291_sidewinder.jpg
        - 3911342643c729a0 n01773797_spider.jpg
        - a98d5fb3fdd6e2a3 n01795545_grouse.jpg
        - 696beab115ce6731 n01806143_peacock.jpg
        - 8e9d5b9da0e10e73 n01807496_partridge.jpg
        - d1cefe6a25375eee n01818515_macaw.jpg
        - 34e488ff9cca9037 n01883070_wombat.jpg
        - c21e8b7cc4be4f69 n01914609_anemone.jpg
        - 0f7398980a247a62 n01924916_flatworm.jpg
        - b14b2669f24bdc1e n01943899_conch.jpg
        - 320d49b9f2def7e9 n01955084_chiton.jpg
        - b3d413462e0352e6 n01983481_lobster.jpg
        - 3f1a1ad46620cb7f n02058221_albatross.jpg
        - 5402048615fb0eed n02085782_spaniel.jpg
        - 512eb6016377568a n02091831_Saluki.jpg
        - b617820b6f4ec251 n02093754_terrier.jpg
        - 095cd701f42d4df8 n02096437_Dinmont.jpg
        - 1e7969b0f525959c n02097474_terrier.jpg
        - 5232ef1601de83b9 n02109961_dog.jpg
        - b197fe0d913b8a55 n02117135_hyena.jpg
        - c0b227871f62a09f n02128925_jaguar.jpg
        - d13cb7b34b9d6df9 n02165105_beetle.jpg
        - ab9adb00a49622cf n02167151_beetle.jpg
        - 50d859b339bbf796 n02190166_fly.jpg
        - ce22db227a9c89b2 n02256656_cicada.jpg
        - 49f0dfb6cce18e8c n02277742_ringlet.jpg
        - bbacadd27f8f7468 n02319095_urchin.jpg
        - 9e3770de5d1dfbc7 n02346627_porcupine.jpg
        - f322bd52de7ada31 n02364673_pig.jpg
        - 5cddd51612d90e5b n02396427_boar.jpg
        - 534e34f5e9186363 n02422699_impala.jpg
        - 10ce3bba6c2f09cf n02447366_badger.jpg
        - 0f23b039985815a7 n02457408_sloth.jpg
        - 05c8cae0f5eaa4b7 n02483362_gibbon.jpg
        - a16f72b7b494b79e n02493509_titi.jpg
        - 5a614cc9ee6f5845 n02606052_beauty.jpg
        - e3fc91fdc8c401ca n02666196_abacus.jpg
        - d6068b9b2d03ba3b n02669723_gown.jpg
        - 0f97efb2e9b245e7 n02787622_banjo.jpg
        - c9c4a4d6e660a9f6 n03250847_drumstick.jpg
        - e65be85b1bc25966 n03594734_jean.jpg
        - 828d8025294a0264 n03775071_mitten.jpg
        - a7adbf5290b4ae14 n03794056_mousetrap.jpg
        - 1c9b9471d970bdef n03929660_pick.jpg
        - b1e586787da8e456 n04033995_quilt.jpg
        - 8ab4365582ff0726 n04120489_shoe.jpg
        - 15c80ee7c1e10f46 n04229816_mask.jpg
        - a551b809e3a4a277 n04277352_spindle.jpg
        - 5a9ea245a34d83a1 n04372370_switch.jpg
        - 30c1da7925b08e73 n04409515_ball.jpg
        - 3b695155c474978c n04465501_tractor.jpg
        - 864e2a69cf4b7232 n07614500_cream.jpg
        - 6fa269464af7124c n07684084_loaf.jpg
        - 4ad890f0fbde4c39 n07697537_hotdog.jpg
        - e89cdc689633e1c4 n07717556_squash.jpg
        - 933f016f625f2a9c n07718747_artichoke.jpg
        - 27e265bf937a88c4 n07730033_cardoon.jpg
        - 7a6a6c4ecc6f66c6 n07760859_apple.jpg
        - a0f78f5e82b2b816 n07875152_potpie.jpg
        - 384e086ba64951dd n09472597_volcano.jpg
        - a7c940a62a901db0 n13040303_stinkhorn.jpg
        - 59141620c1aa59ca n13133613_ear.jpg
        """
}
